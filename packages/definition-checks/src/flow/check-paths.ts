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
  const reached = new Set(entriesFrom(units, 0))
  if (timeLimit?.onTimeout?.to !== undefined) reached.add(timeLimit.onTimeout.to)
  for (const id of reached) {
    const state = byId.get(id)
    if (!state) continue
    const { taken, followsPath } = exitsOf(state)
    // A Set may grow during iteration: items added here are visited later.
    for (const { to } of taken) reached.add(to)
    if (state.end?.onTimeout?.to !== undefined) reached.add(state.end.onTimeout.to)
    for (const follower of following.byLimit.get(id) ?? []) reached.add(follower)
    if (followsPath) for (const follower of following.onPath.get(id) ?? []) reached.add(follower)
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
function entriesOf(unit: Unit): readonly string[] {
  if (!unit.block) return unit.stateIds
  return hasDrawnOrder(unit) ? unit.members.flatMap(entriesOf) : entriesFrom(unit.members, 0)
}

/** F110: whether something of it is played in any case. */
const isCertain = ({ block, members }: Unit): boolean =>
  block === null || (block.when === undefined && members.some(isCertain))

/** F110: blocks with a condition may be skipped, up to the first unit that is played in any case. */
function entriesFrom(
  units: readonly Unit[],
  index: number,
  beyond: readonly string[] = [],
): readonly string[] {
  const rest = units.slice(index)
  const certain = rest.findIndex(isCertain)
  return certain < 0 ? [...rest.flatMap(entriesOf), ...beyond] : rest.slice(0, certain + 1).flatMap(entriesOf)
}

/**
 * Maps each state to those that may follow it on the default path, in any order that may be drawn; and, F87, to those that the time
 * limits of the blocks around it may lead to.
 */
function followersOf(units: readonly Unit[]): Record<'onPath' | 'byLimit', Map<string, readonly string[]>> {
  const followers = new Map<string, readonly string[]>()
  const byLimit = new Map<string, readonly string[]>()
  function limit({ block, stateIds }: Unit, after: readonly string[]): void {
    if (!block?.timeLimit) return
    const { onTimeout } = block.timeLimit
    const to = onTimeout ? [onTimeout.to ?? []].flat() : after
    for (const id of stateIds) byLimit.set(id, [...(byLimit.get(id) ?? []), ...to])
  }
  /** `beyond` is what may follow the last of these units. */
  function follow(inOrder: readonly Unit[], beyond: readonly string[]): void {
    for (const [index, unit] of inOrder.entries()) {
      const after = entriesFrom(inOrder, index + 1, beyond)
      limit(unit, after)
      if (!unit.block) for (const id of unit.stateIds) followers.set(id, after)
      else followInside(unit, after)
    }
  }
  function followInside(unit: Unit, beyond: readonly string[]): void {
    const again = roundsOf(unit) > 1 || unit.block?.trials ? entriesOf(unit) : []
    if (hasDrawnOrder(unit))
      for (const member of unit.members) follow([member], [...unit.members.flatMap(entriesOf), ...beyond])
    else follow(unit.members, [...again, ...beyond])
  }
  follow(units, [])
  return { onPath: followers, byLimit }
}

/** Where a unit is: among the members of the block that it is in, and of those around that; from the outermost. */
type Place = readonly { among: Unit | null; index: number }[]

function placesOf(units: readonly Unit[]): Map<string, Place> {
  const places = new Map<string, Place>()
  function place(inOrder: readonly Unit[], among: Unit | null, around: Place): void {
    for (const [index, unit] of inOrder.entries()) {
      const here = [...around, { among, index }]
      if (unit.block) place(unit.members, unit, here)
      else for (const id of unit.stateIds) places.set(id, here)
    }
  }
  place(units, null, [])
  return places
}

function unboundedReturns({ states }: ExperimentDefinition, units: readonly Unit[]): ValidationIssue[] {
  const places = placesOf(units)
  /** In every round and every order that may be drawn. */
  const isAlwaysAhead = (from: string, to: string): boolean => {
    const [here, there] = [places.get(from), places.get(to)]
    if (!here || !there) return true
    const parting = here.findIndex(({ index }, depth) => index !== there[depth]?.index)
    const [one, other] = [here[parting], there[parting]]
    if (!one || !other) return false
    return !(one.among && hasDrawnOrder(one.among)) && one.index < other.index
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
