import { maxBlockDepth, statesInBlock } from '@atrium/contract'
import { isObject, listAt, listIn, type Path, textIn, valueAt } from '../core/document.ts'
import { partsIn, statesOf } from '../core/parts.ts'
import { titleOfState } from '../titles.ts'

interface FlowNode {
  /** Index of the state; the end of the study comes after the last one. */
  at: number
  id: string
  title: string
  roles: readonly string[]
  /** Nobody can get there. */
  isUnreachable: boolean
}

export interface FlowEdge {
  from: number
  to: number
  /** Taken only if an expression is true, or when time is up. */
  isConditional: boolean
  label: { when?: string; atMost?: number; isTimeout?: boolean; outcome?: string }
}

interface FlowBlock {
  id: string
  /** Those of the blocks in it, too. */
  states: readonly number[]
  /** Of how many states and blocks it consists. */
  members: number
  /** How many levels of blocks are in it. */
  depth: number
  rounds: number
  /** The expression that ends it after a round. */
  until?: string
  order: string
  /** How many of its states are drawn; undefined where all are played. */
  sample?: number
  rotateRoles?: true
  /** The expression under which it is played. */
  when?: string
}

export interface FlowGraph {
  nodes: readonly FlowNode[]
  edges: readonly FlowEdge[]
  blocks: readonly FlowBlock[]
  /** Index of the end. */
  end: number
}

/** Where each state of a part can lead, for any definition that is being written: what cannot be read is left out. */
export const graphOf = (document: unknown, part: Path = []): FlowGraph =>
  graphFrom(listAt(document, statesOf(part)), listAt(document, [...part, 'blocks']))

/** All parts at once, one after the other. */
export const wholeGraphOf = (document: unknown): FlowGraph => {
  const parts = partsIn(document)
  return graphFrom(
    parts.flatMap((part) => listAt(document, statesOf(part))),
    parts.flatMap((part) => listAt(document, [...part, 'blocks'])),
  )
}

function graphFrom(states: readonly unknown[], written: readonly unknown[]): FlowGraph {
  const end = states.length
  const indexOf = new Map<string, number>([['end', end]])
  for (const [at, state] of states.entries()) {
    const id = textIn(valueAt(state, ['id']))
    if (id !== undefined && !indexOf.has(id)) indexOf.set(id, at)
  }
  const blocks = written.flatMap((block) => blockOf(block, written, indexOf))
  const edges = [
    ...states.flatMap((state, at) => edgesFrom(state, at, indexOf)),
    ...blocks.flatMap((block) => edgeAround(block, end)),
  ]
  const reached = reachable(edges)
  return {
    nodes: states.map((state, at) => ({
      at,
      id: textIn(valueAt(state, ['id'])) ?? '',
      title: titleOfState(state, at),
      roles: listIn(valueAt(state, ['roles'])).filter((role) => typeof role === 'string'),
      isUnreachable: at > 0 && !reached.has(at),
    })),
    edges,
    blocks,
    end,
  }
}

function edgesFrom(state: unknown, at: number, indexOf: ReadonlyMap<string, number>): FlowEdge[] {
  const edges: FlowEdge[] = []
  const lead = (target: unknown, label: FlowEdge['label']) => {
    const to = typeof target === 'string' ? indexOf.get(target) : undefined
    const isConditional = label.when !== undefined || label.isTimeout === true
    if (to !== undefined) edges.push({ from: at, to, isConditional, label })
  }
  let isDecided = false
  for (const transition of listIn(valueAt(state, ['next']))) {
    if (!isObject(transition) || isDecided) continue
    const { to, when, atMost, outcome } = transition
    lead(to, {
      ...(typeof when === 'string' && { when }),
      ...(typeof atMost === 'number' && { atMost }),
      ...(typeof outcome === 'string' && { outcome }),
    })
    // One without a condition is always taken, unless it is used up.
    isDecided = when === undefined && atMost === undefined
  }
  if (!isDecided) edges.push({ from: at, to: at + 1, isConditional: false, label: {} })
  const timeout = valueAt(state, ['end', 'onTimeout'])
  if (isObject(timeout)) lead(timeout.to ?? 'end', { isTimeout: true })
  return edges
}

function reachable(edges: readonly FlowEdge[]): Set<number> {
  const targets = new Map<number, number[]>()
  for (const { from, to } of edges) targets.set(from, [...(targets.get(from) ?? []), to])
  const found = new Set([0])
  const open = [0]
  for (let at = open.pop(); at !== undefined; at = open.pop())
    for (const to of targets.get(at) ?? [])
      if (!found.has(to)) {
        found.add(to)
        open.push(to)
      }
  return found
}

const namesOfBlock = (block: Record<string, unknown>) => ({
  id: textIn(block.id) ?? '',
  states: listIn(block.states).map(String),
})

/** How many levels of blocks are in it; the picture draws one more frame than saving allows. */
function depthIn(
  { states }: { states: readonly string[] },
  all: readonly { id: string; states: readonly string[] }[],
  left = maxBlockDepth,
): number {
  if (left === 0) return 0
  const inner = all.filter(({ id }) => states.includes(id))
  return inner.reduce((deepest, one) => Math.max(deepest, 1 + depthIn(one, all, left - 1)), 0)
}

/** A block with a condition may be skipped. */
function edgeAround({ states, when }: FlowBlock, end: number): FlowEdge[] {
  const from = Math.min(...states) - 1
  if (when === undefined || from < 0) return []
  return [{ from, to: Math.min(Math.max(...states) + 1, end), isConditional: true, label: {} }]
}

function blockOf(block: unknown, all: readonly unknown[], indexOf: ReadonlyMap<string, number>): FlowBlock[] {
  if (!isObject(block)) return []
  const known = all.filter(isObject).map(namesOfBlock)
  const inside = statesInBlock(namesOfBlock(block), known, (id) => indexOf.has(id))
  const states = inside.flatMap((id) => indexOf.get(id) ?? [])
  const members = listIn(block.states).length
  const depth = depthIn(namesOfBlock(block), known)
  const { rounds, until, order, sample, rotateRoles, when } = block
  return states.length === 0
    ? []
    : [
        {
          id: textIn(block.id) ?? '',
          states,
          members,
          depth,
          rounds: typeof rounds === 'number' ? rounds : 1,
          ...(typeof until === 'string' && { until }),
          order: textIn(order) ?? 'fixed',
          ...(typeof sample === 'number' && { sample }),
          ...(rotateRoles === true && { rotateRoles }),
          ...(typeof when === 'string' && { when }),
        },
      ]
}
