import { completionCodeOf } from '@atrium/contract'
import { recordPayoffs } from '../model/payoff-record.ts'
import { isActive, isOpen, type Seat } from '../model/room-state.ts'
import { record, seatOf, type Turn, tellRoom, tellSeat } from '../model/turn.ts'
import { endRoom, endRoomIfOver, finishSeat } from './progress.ts'

/** Back, or here for the first time. Who was dropped and not replaced takes their seat again. */
export function connect(turn: Turn, participantId: string): void {
  const seat = seatOf(turn, participantId)
  if (turn.room.status.kind === 'ended' || !isOpen(seat)) return
  const wasAway = seat.presence.kind === 'away'
  seat.presence = { kind: 'connected' }
  if (seat.status === 'dropped') {
    seat.status = 'active'
    tellRoom(turn, { type: 'seat', alias: seat.alias, status: 'active' })
  }
  if (!wasAway) return
  record(turn, seat, 'connected', { data: {} })
  tellRoom(turn, { type: 'presence', alias: seat.alias, presence: 'connected' })
}

/** Away, with a window in which to come back before the drop-out policy applies. */
export function disconnect(turn: Turn, seat: Seat): void {
  if (seat.presence.kind === 'away' || turn.room.status.kind === 'ended') return
  const graceUntil = seat.status === 'active' ? turn.now + turn.blueprint.dropout.graceMs : null
  seat.presence = { kind: 'away', since: turn.now, graceUntil }
  if (!isOpen(seat)) return
  record(turn, seat, 'disconnected', { data: {} })
  tellRoom(turn, { type: 'presence', alias: seat.alias, presence: 'away' })
}

/** Nobody could reach the room meanwhile: who was away already has the whole window again. */
export function restoreSeat(turn: Turn, seat: Seat): void {
  const { presence } = seat
  if (presence.kind === 'connected') disconnect(turn, seat)
  else if (presence.graceUntil !== null && turn.room.status.kind !== 'ended')
    seat.presence = { ...presence, graceUntil: turn.now + turn.blueprint.dropout.graceMs }
}

/** Everyone whose grace is over is dropped, by the experiment's policy. */
export function dropOverdue(turn: Turn): void {
  for (const seat of turn.room.seats) {
    const { presence } = seat
    if (seat.status !== 'active' || presence.kind !== 'away') continue
    if (presence.graceUntil === null || presence.graceUntil > turn.now) continue
    seat.presence = { ...presence, graceUntil: null }
    drop(turn, seat)
  }
}

function drop(turn: Turn, seat: Seat): void {
  const { policy } = turn.blueprint.dropout
  // Alone in the room nobody waits, and no seat needs filling: whenever they come back, they go on.
  const isAlone = turn.room.seats.length === 1
  seat.status = policy === 'replace_with_agent' && !isAlone ? 'replaced' : 'dropped'
  seat.outcome = seat.status === 'replaced' ? 'ABANDONED' : null
  if (seat.status === 'replaced') recordPayoffs(turn, seat)
  record(turn, seat, 'dropped', { data: { policy } })
  tellRoom(turn, { type: 'seat', alias: seat.alias, status: seat.status })
  if (policy === 'end' && !isAlone) endForAll(turn, 'partner_dropped', 'PARTNER_LEFT')
  else endRoomIfOver(turn)
}

/** Ends the room for everyone; who was still in is told what to complete with. */
export function endForAll(turn: Turn, reason: string, outcome: string): void {
  for (const seat of turn.room.seats) {
    if (isActive(seat)) finishSeat(turn, seat, outcome, reason)
    else if (seat.status === 'dropped') {
      recordPayoffs(turn, seat)
      seat.outcome = 'ABANDONED'
    } else if (seat.status !== 'agent') seat.outcome ??= 'ABANDONED'
  }
  endRoom(turn, reason)
}

/**
 * RM79: has completed before the room was done with them. Their session is over, so nobody waits for them any more; to the
 * others it is as though they had left.
 */
export function completeSeat(turn: Turn, seat: Seat, outcome: string): void {
  if (turn.room.status.kind === 'ended' || !isOpen(seat)) return
  finishSeat(turn, seat, outcome, 'completed')
  tellRoom(turn, { type: 'seat', alias: seat.alias, status: seat.status })
  endAfterLeaving(turn)
}

function endAfterLeaving(turn: Turn): void {
  if (turn.blueprint.dropout.policy === 'end' && turn.room.seats.length > 1)
    endForAll(turn, 'partner_left', 'PARTNER_LEFT')
  else endRoomIfOver(turn)
}

/** Gone for good: by their own will, or removed by a researcher. */
export function vacate(
  turn: Turn,
  seat: Seat,
  status: 'left' | 'removed',
  outcome: string,
  reason: string | null,
): void {
  seat.status = status
  seat.outcome = outcome
  recordPayoffs(turn, seat)
  record(turn, seat, status, { data: { outcome, reason } })
  tellRoom(turn, { type: 'seat', alias: seat.alias, status })
  // Who is removed loses their session (R15) and could not ask for the code.
  const completionCode = status === 'removed' ? completionCodeOf(turn.blueprint.definition, outcome) : null
  tellSeat(turn, seat, { type: 'finished', outcome, completionCode })
  if (status === 'left') endAfterLeaving(turn)
  else endRoomIfOver(turn)
}
