import { success } from '@atrium/contract'
import { evaluate, isTruthy } from '@atrium/expressions'
import { recordMissing } from '../model/attrition.ts'
import { recordPayoffs } from '../model/room-records.ts'
import type { Seat } from '../model/room-state.ts'
import { emitToSeat, record, type Turn } from '../model/turn.ts'
import { scopeFor } from '../model/variables.ts'

/** RM270: the stage that somebody plays next who ends this one so; undefined where the study is over for them. */
export function nextStageOf(
  { room, blueprint, work }: Turn,
  seat: Seat,
  outcome: string,
): string | undefined {
  const { stages } = blueprint
  if (outcome !== success || stages.length === 0 || seat.agent) return undefined
  const here = Math.max(
    0,
    stages.findIndex(({ id }) => id === room.stage),
  )
  const scope = scopeFor(room, blueprint, { seat, flow: seat.flow ?? room.flow, work })
  return stages.slice(here + 1).find(({ when }) => !when || isTruthy(evaluate(when, scope, work)))?.id
}

/** They have done their part here, and wait for another room. */
export function goOnTo(turn: Turn, seat: Seat, next: string, fromState: string | null): void {
  const stage = turn.room.stage ?? turn.blueprint.stages[0]?.id ?? next
  seat.status = 'finished'
  seat.nextStage = next
  // Nobody may be found for them in the next stage, and then this is what they have earned.
  recordPayoffs(turn, seat)
  recordMissing(turn, seat, 'ended')
  record(turn, seat, 'stage_finished', { data: { stage, next, fromState } })
  emitToSeat(turn, seat, { type: 'stage_finished', stage, next })
}
