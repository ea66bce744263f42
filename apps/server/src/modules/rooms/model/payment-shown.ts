import { success } from '@atrium/contract'
import { spend, type Value, type Work } from '@atrium/expressions'
import { hasRoundAhead } from '@atrium/flow'
import type { Blueprint } from './blueprint.ts'
import { paymentIn } from './payment.ts'
import { isOpen, type RoomState, type Seat } from './room-state.ts'

/**
 * RM202: what a text tells a participant of their payment, if they end with an outcome that is paid. Nothing while a round that
 * may be paid is ahead of them: whoever knew which rounds count would play the others for nothing.
 */
export function paymentShown(
  room: RoomState,
  blueprint: Blueprint,
  seat: Seat,
  work: Work,
): Record<string, Value> {
  const { payment } = blueprint
  if (!payment || isPickOpen(room, blueprint, seat)) return {}
  spend(work, (seat.roundValues?.length ?? 0) * costOfLot)
  const [paidOutcome = success] = payment.outcomes ?? []
  const earned = paymentIn(room, blueprint, seat, { outcome: seat.outcome ?? paidOutcome, work })
  if (!earned) return {}
  const { amount, base, bonus, picked } = earned
  return { amount, base, bonus, rounds: picked?.map(({ round }) => round) ?? null }
}

/** Drawing, sorting and finding the lot of a round. */
const costOfLot = 4

function isPickOpen(room: RoomState, { payment }: Blueprint, seat: Seat): boolean {
  const flow = seat.flow ?? room.flow
  if (!payment?.pick || !flow || !isOpen(seat)) return false
  return hasRoundAhead(flow.steps, flow.position, payment.pick)
}
