import type { ExperimentDefinition, State, ValidationIssue } from '@atrium/contract'
import {
  evaluate,
  isTruthy,
  nodesIn,
  parseExpression,
  type Scope,
  type SyntaxNode,
} from '@atrium/expressions'
import { blocksEntered, nextPosition, planSteps, type Step } from '@atrium/flow'
import { finding, pointer } from './findings.ts'

/** Far more than any real study needs. */
const maxInstantStates = 1_000

/**
 * States that end the moment they are entered may follow each other, but not forever: nobody sees them, and a room
 * processes all of them before it does anything else. Only loops that are certain without any response are refused here;
 * rooms stop the others (RM62).
 */
export function checkInstantLoops(definition: ExperimentDefinition): ValidationIssue[] {
  const instant = new Map(
    definition.states.flatMap((state, at) => (endsAtOnce(state) ? [[state.id, { state, at }] as const] : [])),
  )
  if (instant.size === 0) return []
  const steps = planSteps(definition, '', 0)
  const checked = new Set<string>()
  const conditional = new Set(
    (definition.blocks ?? []).flatMap(({ id, when }) => (when === undefined ? [] : [id])),
  )
  for (const [position, { stateId }] of steps.entries()) {
    const first = instant.get(stateId)
    if (!first || checked.has(stateId)) continue
    checked.add(stateId)
    if (!settles(steps, position, (id) => instant.get(id)?.state, conditional))
      return [
        finding(
          pointer('states', first.at),
          `more than ${maxInstantStates} states in a row, starting with ‘${stateId}’, end as soon as they are entered; give one of them a duration, a button or a question`,
        ),
      ]
  }
  return []
}

/** Whether this position leads to a state that lasts, to the end, or to a transition or block with a condition. */
function settles(
  steps: readonly Step[],
  start: number,
  instantState: (id: string) => State | undefined,
  conditional: ReadonlySet<string>,
): boolean {
  const taken = new Map<string, number>()
  let position = start
  for (let moves = 0; moves <= maxInstantStates; moves += 1) {
    const step = steps[position]
    const state = step && instantState(step.stateId)
    if (!state) return true
    const exit = certainExit(state, taken)
    if (!exit) return true
    const next = nextPosition(steps, position, exit.to)
    if (blocksEntered(step, steps[next]).some((id) => conditional.has(id))) return true
    position = next
  }
  return false
}

/** Where the state leads (`null` for the next step); undefined if that depends on a condition. */
function certainExit(
  { id, next = [] }: State,
  taken: Map<string, number>,
): { to: string | null } | undefined {
  for (const [index, { to, when, atMost }] of next.entries()) {
    const key = `${id}/${index}`
    const count = taken.get(key) ?? 0
    if (atMost !== undefined && count >= atMost) continue
    if (when !== undefined) return undefined
    taken.set(key, count + 1)
    return { to }
  }
  return { to: null }
}

/** A state with `onTimeout` is excluded: its deadline leads forward, so it cannot be part of a loop. */
function endsAtOnce({ end }: State): boolean {
  if (!end || end.onTimeout) return false
  if ('afterMs' in end && end.afterMs === 0) return true
  if (end.on !== 'condition') return false
  const parsed = parseExpression(end.when)
  return parsed.ok && isConstant(parsed.expression.root) && isTruthy(evaluate(parsed.expression, nothing))
}

const isConstant = (root: SyntaxNode): boolean =>
  [...nodesIn(root)].every(({ kind }) => !['variable', 'fact', 'response', 'responses'].includes(kind))

const nothing: Scope = {
  variable: () => undefined,
  response: () => undefined,
  responses: () => [],
  facts: { role: null, condition: null, round: null, visit: 0, state: '', participants: 0, ready: 0 },
}
