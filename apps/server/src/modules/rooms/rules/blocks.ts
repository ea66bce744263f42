import { startOfTry } from '@atrium/contract'
import { evaluate, isSpent, isTruthy, spend } from '@atrium/expressions'
import { blockEntered, positionAfterBlock, type Step } from '@atrium/flow'
import { isOpen } from '../model/room-state.ts'
import { record, type Turn } from '../model/turn.ts'
import { scopeFor } from '../model/variables.ts'
import type { Unit } from './units.ts'

/** The step that a unit is in; undefined before the first. */
export const stepOf = ({ flow }: Unit): Step | undefined =>
  flow.visit === 0 ? undefined : flow.steps[flow.position]

/**
 * RM240: the first position from here on that is in no block whose condition is not met. Asked of a block when it is about to begin, with
 * what the state before has left; `from` is the step from which it is reached.
 */
export function positionAfterSkipped(
  turn: Turn,
  unit: Unit,
  from: Step | undefined,
  position: number,
): number {
  const { steps } = unit.flow
  // TR2: whoever tries a study from a state means to see it.
  if (from?.stateId === startOfTry) return position
  let at = position
  for (let id = blockEntered(from, steps[at]); id !== null; id = blockEntered(from, steps[at])) {
    const when = turn.blueprint.blocks.whenOf(id)
    if (!when) return at
    spend(turn.work, 1)
    const flow = unit.flow.visit === 0 ? null : unit.flow
    const seat = unit.seats.length === 1 ? (unit.seats[0] ?? null) : null
    const scope = scopeFor(turn.room, turn.blueprint, { seat, flow, work: turn.work })
    // RM62: what a room without work finds says nothing, and it ends with this action.
    if (isTruthy(evaluate(when, scope, turn.work)) || isSpent(turn.work)) return at
    for (const one of unit.seats.filter(isOpen)) record(turn, one, 'block_skipped', { data: { block: id } })
    at = positionAfterBlock(steps, at)
  }
  return at
}
