import type { Variable } from '@atrium/contract'
import { type Expression, fieldReadAt, nodesIn, parseExpression, type SyntaxNode } from '@atrium/expressions'

/** A computed variable: always equal to its expression. */
interface Computation {
  name: string
  scope: 'room' | 'participant'
  expression: Expression
}

/** Deeper chains are hard to follow. They are refused, so the order of a saved definition is complete. */
export const maxComputationDepth = 50
const maxCycles = 20

interface OrderedComputations {
  /** Each variable comes after those that it reads. */
  order: Computation[]
  /** In each cycle, every variable reads the next, and the last reads the first. */
  cycles: string[][]
  /** The length of the longest chain of computed variables, counted up to one more than allowed. */
  depth: number
}

export function orderComputations(variables: ReadonlyMap<string, Variable>): OrderedComputations {
  const waiting = new Map<string, Computation>()
  for (const [name, { compute, scope = 'room' }] of variables) {
    const parsed = typeof compute === 'string' ? parseExpression(compute) : undefined
    if (parsed?.ok) waiting.set(name, { name, scope, expression: parsed.expression })
  }
  const sources = new Map([...waiting].map(([name, { expression }]) => [name, variablesIn(expression)]))
  const ordered: OrderedComputations = { order: [], cycles: [], depth: 0 }
  while (waiting.size > 0 && ordered.depth <= maxComputationDepth && ordered.cycles.length < maxCycles) {
    const isFree = ({ name }: Computation) => !sources.get(name)?.some((source) => waiting.has(source))
    const free = [...waiting.values()].filter(isFree)
    const cycle = free.length === 0 ? cycleAmong(waiting, sources) : []
    for (const name of [...cycle, ...free.map((computation) => computation.name)]) waiting.delete(name)
    if (cycle.length > 0) ordered.cycles.push(cycle)
    else ordered.depth += 1
    ordered.order.push(...free)
  }
  return ordered
}

/** Every remaining variable reads another remaining one, so following them must lead into a cycle. */
function cycleAmong(
  waiting: ReadonlyMap<string, Computation>,
  sources: ReadonlyMap<string, readonly string[]>,
): string[] {
  const trail: string[] = []
  const indexOf = new Map<string, number>()
  let [name] = waiting.keys()
  while (name !== undefined && !indexOf.has(name)) {
    indexOf.set(name, trail.length)
    trail.push(name)
    name = sources.get(name)?.find((source) => waiting.has(source))
  }
  return trail.slice(indexOf.get(name ?? '') ?? 0)
}

/** Read by name, or as `self.x`, `others.x` and `neighbours.x`. */
const variablesIn = ({ root }: Expression): string[] =>
  [...nodesIn(root)].flatMap((node) => (node.kind === 'variable' ? [node.name] : readOfMembers(node)))

const ofMembers: readonly string[] = ['self', 'others', 'neighbours']

function readOfMembers(node: SyntaxNode): string[] {
  const read = fieldReadAt(node)
  return read && ofMembers.includes(read.source) ? [read.name] : []
}
