import {
  type ExperimentDefinition,
  endOfExperiment,
  type State,
  type ValidationIssue,
} from '@atrium/contract'
import { roundsOf, type Unit, unitsOf } from '@atrium/flow'
import { type Findings, finding, pointer } from './findings.ts'

type Transition = NonNullable<State['next']>[number]

/** Always taken if reached, so the transitions after it never are. */
const isFinal = ({ when, atMost }: Transition): boolean => when === undefined && atMost === undefined

/** The exits of a state: the transitions up to the final one, or all of them and the default path. */
function exitsOf({ next = [] }: State): { taken: Transition[]; followsPath: boolean } {
  const final = next.findIndex(isFinal)
  return final < 0
    ? { taken: next, followsPath: true }
    : { taken: next.slice(0, final + 1), followsPath: false }
}

/** Unreachable states, unbounded loops, and transitions that are never taken. */
export function checkPaths(definition: ExperimentDefinition): Findings {
  const units = unitsOf(definition)
  return {
    errors: [...unreachableStates(definition, units), ...unboundedReturns(definition, units)],
    warnings: definition.states.flatMap((state, at) => {
      const { taken } = exitsOf(state)
      // Only a researcher's `advance` would take them.
      if (state.end?.on === 'timed' && state.end.onTimeout && state.next)
        return [
          finding(
            pointer('states', at, 'next'),
            `these transitions are never taken: ‘${state.id}’ ends only at its deadline, where onTimeout applies`,
          ),
        ]
      return (state.next ?? []).flatMap((_, index) =>
        index < taken.length
          ? []
          : [
              finding(
                pointer('states', at, 'next', index),
                'this transition is never taken, because an earlier one has no condition',
              ),
            ],
      )
    }),
  }
}

function unreachableStates(
  { states, timeLimit }: ExperimentDefinition,
  units: readonly Unit[],
): ValidationIssue[] {
  const following = followersOf(units)
  const byId = new Map(states.map((state) => [state.id, state]))
  const afterLimit = followersByLimit(units)
  const reached = new Set(entriesFrom(units, 0))
  if (timeLimit?.onTimeout?.to !== undefined) reached.add(timeLimit.onTimeout.to)
  for (const id of reached) {
    const state = byId.get(id)
    if (!state) continue
    const { taken, followsPath } = exitsOf(state)
    // A Set may grow during iteration: items added here are visited later.
    for (const { to } of taken) reached.add(to)
    if (state.end?.onTimeout?.to !== undefined) reached.add(state.end.onTimeout.to)
    for (const follower of afterLimit.get(id) ?? []) reached.add(follower)
    if (followsPath) for (const follower of following.get(id) ?? []) reached.add(follower)
  }
  return states.flatMap(({ id }, at) =>
    reached.has(id)
      ? []
      : [
          finding(
            pointer('states', at),
            `state ‘${id}’ is unreachable: earlier states always go elsewhere, and no transition leads to it`,
          ),
        ],
  )
}

/** With `sample`, any of the states may be the first. */
const hasDrawnOrder = ({ block }: Unit): boolean =>
  (block?.order ?? 'fixed') !== 'fixed' || block?.sample !== undefined

/** The states with which a unit may begin. */
const entriesOf = (unit: Unit): readonly string[] =>
  hasDrawnOrder(unit) ? unit.stateIds : unit.stateIds.slice(0, 1)

/** F110: blocks with a condition may be skipped, up to the first unit that is played in any case. */
function entriesFrom(units: readonly Unit[], index: number): readonly string[] {
  const rest = units.slice(index)
  const certain = rest.findIndex(({ block }) => block?.when === undefined)
  return (certain < 0 ? rest : rest.slice(0, certain + 1)).flatMap(entriesOf)
}

/** F87: where the time limit of its block may lead from a state. */
function followersByLimit(units: readonly Unit[]): Map<string, readonly string[]> {
  return new Map(
    units.flatMap(({ block, stateIds }, index) => {
      if (!block?.timeLimit) return []
      const { onTimeout } = block.timeLimit
      const to = onTimeout ? [onTimeout.to ?? []].flat() : entriesFrom(units, index + 1)
      return stateIds.map((id) => [id, to] as const)
    }),
  )
}

/** Maps each state to those that may follow it on the default path, in any order that may be drawn. */
function followersOf(units: readonly Unit[]): Map<string, readonly string[]> {
  const followers = new Map<string, readonly string[]>()
  for (const [index, unit] of units.entries()) {
    const beyond = entriesFrom(units, index + 1)
    const again = roundsOf(unit) > 1 || unit.block?.trials ? entriesOf(unit) : []
    for (const [place, id] of unit.stateIds.entries()) {
      const isLast = place === unit.stateIds.length - 1
      if (hasDrawnOrder(unit)) followers.set(id, [...unit.stateIds, ...beyond])
      else followers.set(id, isLast ? [...again, ...beyond] : unit.stateIds.slice(place + 1, place + 2))
    }
  }
  return followers
}

function unboundedReturns({ states }: ExperimentDefinition, units: readonly Unit[]): ValidationIssue[] {
  const placeOf = new Map<string, { unit: Unit; order: number; place: number }>()
  for (const [order, unit] of units.entries())
    for (const [place, id] of unit.stateIds.entries()) placeOf.set(id, { unit, order, place })
  /** In every round and every order that may be drawn. */
  const isAlwaysAhead = (from: string, to: string): boolean => {
    const [here, there] = [placeOf.get(from), placeOf.get(to)]
    if (!here || !there || here.order !== there.order) return !here || !there || here.order < there.order
    return !hasDrawnOrder(here.unit) && here.place < there.place
  }
  return states.flatMap(({ id, next = [], end }, at) => [
    ...next.flatMap(({ to, atMost }, index) =>
      to === endOfExperiment || atMost !== undefined || isAlwaysAhead(id, to)
        ? []
        : [
            finding(
              pointer('states', at, 'next', index),
              to === id
                ? `‘${id}’ goes to itself; set atMost, so that the loop ends`
                : `‘${to}’ may come before ‘${id}’; set atMost, so that the loop ends`,
            ),
          ],
    ),
    ...(end?.onTimeout?.to === undefined ||
    end.onTimeout.to === endOfExperiment ||
    isAlwaysAhead(id, end.onTimeout.to)
      ? []
      : [
          finding(
            pointer('states', at, 'end', 'onTimeout', 'to'),
            `a deadline must go to a later state or to the end, but ‘${end.onTimeout.to}’ may come before ‘${id}’; to go back, use next with atMost`,
          ),
        ]),
  ])
}
