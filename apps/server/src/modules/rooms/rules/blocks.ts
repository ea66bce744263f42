import { startOfTry } from '@atrium/contract'
import { type Expression, evaluate, isSpent, isTruthy, spend } from '@atrium/expressions'
import { blockEntered, positionAfterBlock, type Step } from '@atrium/flow'
import { isActive, isOpen, type Seat } from '../model/room-state.ts'
import { record, type Turn } from '../model/turn.ts'
import { scopeFor } from '../model/variables.ts'
import type { Unit } from './units.ts'

/** The step that a unit is in; undefined before the first. */
export const stepOf = ({ flow }: Unit): Step | undefined =>
  flow.visit === 0 ? undefined : flow.steps[flow.position]

/** RM240, RM221: all of them or nobody, or each of them by themselves. */
function whoSkips(turn: Turn, unit: Unit, block: string, when: Expression): Seat[] {
  const { room, blueprint, work } = turn
  const flow = unit.flow.visit === 0 ? null : unit.flow
  const isMet = (seat: Seat | null): boolean => {
    spend(work, 1)
    // RM62: what a room without work finds says nothing, and it ends with this action.
    return isTruthy(evaluate(when, scopeFor(room, blueprint, { seat, flow, work }), work)) || isSpent(work)
  }
  const present = unit.seats.filter(isOpen)
  if (!blueprint.blocks.isSkippedByEach(block)) {
    const seat = unit.seats.length === 1 ? (unit.seats[0] ?? null) : null
    return isMet(seat) ? [] : present
  }
  const skipping = present.filter((seat) => !isMet(seat))
  // Those who were dropped play only if everybody was, as in other states.
  const isPlayed = present.some((seat) => isActive(seat) && !skipping.includes(seat))
  return isPlayed || !present.some(isActive) ? skipping : present
}

/** RM221: whoever skips a block is back in what follows it. */
export function endSkips({ seats }: Unit, step: Step | undefined): void {
  for (const seat of seats) if (seat.skips !== undefined && seat.skips !== step?.blockId) delete seat.skips
}

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
    const skipping = whoSkips(turn, unit, id, when)
    const isForNobody = skipping.length === unit.seats.filter(isOpen).length
    for (const one of skipping) {
      record(turn, one, 'block_skipped', { data: { block: id } })
      if (!isForNobody) one.skips = id
    }
    if (!isForNobody) return at
    at = positionAfterBlock(steps, at)
  }
  return at
}
