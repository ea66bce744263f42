import { startOfTry } from '@atrium/contract'
import { type Expression, evaluate, isSpent, isTruthy, spend } from '@atrium/expressions'
import { blocksAround, blocksEntered, positionAfterBlock, type Step } from '@atrium/flow'
import { isActive, isOpen, type Seat } from '../model/room-state.ts'
import { record, type Turn } from '../model/turn.ts'
import { scopeFor } from '../model/variables.ts'
import { onlySeat, type Unit } from './units.ts'

/** The step that a unit is in; undefined before the first. */
export const stepOf = ({ flow }: Unit): Step | undefined =>
  flow.visit === 0 ? undefined : flow.steps[flow.position]

interface Asked {
  block: string
  /** RM231: of the block around it, where there is one. */
  round: number | undefined
  when: Expression
  asked: readonly Seat[]
}

/** RM240, RM221: of those who are asked, all or nobody, or each of them by themselves. */
function whoSkips(turn: Turn, unit: Unit, { block, round, when, asked }: Asked): readonly Seat[] {
  const { room, blueprint, work } = turn
  const flow = unit.flow.visit === 0 ? null : unit.flow
  const isMet = (seat: Seat | null): boolean => {
    spend(work, 1)
    const scope = scopeFor(room, blueprint, { seat, flow, work, ...(round !== undefined && { round }) })
    // RM62: what a room without work finds says nothing, and it ends with this action.
    return isTruthy(evaluate(when, scope, work)) || isSpent(work)
  }
  if (!blueprint.blocks.isSkippedByEach(block)) {
    return isMet(onlySeat(unit.seats)) ? [] : asked
  }
  const skipping = asked.filter((seat) => !isMet(seat))
  // Those who were dropped play only if everybody was, as in other states.
  const isPlayed = asked.some((seat) => isActive(seat) && !skipping.includes(seat))
  return isPlayed || !asked.some(isActive) ? skipping : asked
}

/** RM221, RM231: whoever skips a block is back where it is over, or begins anew. */
function endSkips({ seats }: Unit, from: Step | undefined, to: Step | undefined): void {
  const entered = blocksEntered(from, to)
  const goesOn = blocksAround(to).flatMap(({ blockId }) => (entered.includes(blockId) ? [] : [blockId]))
  for (const seat of seats) if (seat.skips !== undefined && !goesOn.includes(seat.skips)) delete seat.skips
}

/**
 * RM240: the first position from here on that is in no block whose condition is not met. Asked of a block when it is about to begin, with
 * what the state before has left; `from` is the step from which it is reached. Of blocks in each other, the outer one is asked first.
 * Says of each seat which block it skips there.
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
  for (let before = from; ; before = steps[at - 1]) {
    endSkips(unit, before, steps[at])
    const skipped = blocksEntered(before, steps[at]).find((id) => isSkipped(turn, unit, id, steps[at]))
    if (skipped === undefined) return at
    at = positionAfterBlock(steps, at, skipped)
  }
}

/** Whether nobody plays a block that is about to begin; where some do, the others skip it. */
function isSkipped(turn: Turn, unit: Unit, block: string, at: Step | undefined): boolean {
  const when = turn.blueprint.blocks.whenOf(block)
  if (!when) return false
  // RM231: whoever skips a block around it skips it too.
  const asked = unit.seats.filter((seat) => isOpen(seat) && seat.skips === undefined)
  const skipping = whoSkips(turn, unit, { block, round: roundAround(block, at), when, asked })
  const isForNobody = skipping.length === asked.length
  for (const one of skipping) {
    record(turn, one, 'block_skipped', { data: { block } })
    if (!isForNobody) one.skips = block
  }
  return isForNobody
}

/** RM231: the round of the block around one that is about to begin there. The block itself has none yet, and what was left may be elsewhere. */
function roundAround(block: string, at: Step | undefined): number | undefined {
  const around = blocksAround(at)
  return around[around.findIndex(({ blockId }) => blockId === block) - 1]?.round
}
