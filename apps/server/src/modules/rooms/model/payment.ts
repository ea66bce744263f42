import { type Earnings, earningsOf, type Payment, type ShownPayment, sumOf } from '@atrium/contract'
import type { Value, Work } from '@atrium/expressions'
import { isSameRound, type Pick, payableRoundAt, pickRounds } from '@atrium/flow'
import type { Blueprint } from './blueprint.ts'
import { type FlowState, isOpen, type RoomState, type RoundValue, type Seat } from './room-state.ts'
import { type Turn, workFor } from './turn.ts'
import { scopeFor } from './variables.ts'

/** What a participant has earned, and of which rounds. */
export interface PaymentInRoom extends Earnings {
  /** The value of the variable, or the sum of the rounds that were drawn; null where none is paid. */
  points: number | null
  /** Absent where no rounds are drawn. */
  picked?: readonly RoundValue[]
}

/** RM200: keeps what a round was worth when the path leaves it, for everyone who is still in and has not skipped its block. */
export function keepRoundValues(
  turn: Turn,
  {
    seats,
    skipped,
    flow: from,
  }: { seats: readonly Seat[]; skipped: ReadonlyMap<Seat, string | undefined>; flow: FlowState },
  to: FlowState,
): void {
  const pick = turn.blueprint.payment?.pick
  if (!pick || from.visit === 0) return
  const round = payableRoundAt(from.steps[from.position], pick)
  if (!round || isSameRound(round, payableRoundAt(to.steps[to.position], pick))) return
  // Has a budget of its own: what is paid must not depend on how much else happens at the same time.
  const work = workFor(turn.room.seats.length)
  for (const seat of seats.filter((one) => isOpen(one) && skipped.get(one) !== round.blockId)) {
    const value = numberIn(readVariable(turn.room, turn.blueprint, seat, { name: pick.of, flow: from, work }))
    const others = (seat.roundValues ?? []).filter((one) => !isSameRound(one, round))
    seat.roundValues = [...others, { ...round, value }]
  }
}

/**
 * RM201: what somebody has earned if they end with this outcome, as far as the room knows by now. Undefined where the study
 * declares no payment.
 */
export function paymentIn(
  room: RoomState,
  blueprint: Blueprint,
  seat: Seat,
  { outcome, work = workFor(0) }: { outcome: string | null; work?: Work },
): PaymentInRoom | undefined {
  const { payment } = blueprint
  if (!payment) return undefined
  const flow = seat.flow ?? room.flow
  const picked = payment.pick && pickedFrom(room, seat, flow, payment.pick)
  const points = picked
    ? sumOfRounds(picked, seat.roundValues)
    : bonusOf(payment, (name) => readVariable(room, blueprint, seat, { name, flow, work }))
  return { ...earningsOf(payment, outcome, points), points, ...(picked && { picked }) }
}

/** Rounds at whose end the variable was no number do not count. */
function pickedFrom(room: RoomState, seat: Seat, flow: FlowState | null, pick: Pick): readonly RoundValue[] {
  const kept = (seat.roundValues ?? []).filter(({ value }) => value !== null)
  // The place in the room may change when an agent goes on for somebody; the alias does not.
  return pickRounds(kept, flow?.steps ?? [], pick, `${room.seed} ${seat.alias} payment`)
}

/** Unknown where rounds have ended and none of them had a number: then the study, not the participant, has gone wrong. */
const sumOfRounds = (picked: readonly RoundValue[], kept: readonly RoundValue[] = []): number | null =>
  picked.length === 0 && kept.length > 0 ? null : picked.reduce((sum, { value }) => sumOf(sum, value ?? 0), 0)

const bonusOf = ({ bonus }: Payment, read: (name: string) => Value): number | null =>
  bonus === undefined ? null : numberIn(read(bonus))

const numberIn = (value: Value): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null

const readVariable = (
  room: RoomState,
  blueprint: Blueprint,
  seat: Seat,
  { name, flow, work }: { name: string; flow: FlowState | null; work: Work },
): Value => scopeFor(room, blueprint, { seat, flow, work }).variable(name) ?? null

/** RM204: for the last page, by the outcome that they completed with. */
export function paidTo(
  room: RoomState,
  blueprint: Blueprint,
  participantId: string,
  outcome: string,
): ShownPayment | undefined {
  const seat = room.seats.find((one) => one.participantId === participantId)
  const paid = seat && paymentIn(room, blueprint, seat, { outcome })
  if (!paid?.isPaid || paid.amount === null) return undefined
  const { amount, currency, picked } = paid
  return { amount, currency, ...(picked && { rounds: picked.map(({ round }) => round) }) }
}
