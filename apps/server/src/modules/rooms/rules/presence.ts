import { lastSeen, noteDeparture, recordFinish, recordMissing } from '../model/attrition.ts'
import { recordPayoffs } from '../model/room-records.ts'
import { isActive, isOpen, type Seat } from '../model/room-state.ts'
import { shownStatus } from '../model/shown-status.ts'
import { emitAbout, emitToSeat, record, type Turn, visitOf } from '../model/turn.ts'
import { isReplacedUnseen, replaceWithAgent } from './agent-seats.ts'
import { endRoom, endRoomIfOver, finishSeat } from './finish.ts'
import { bringAgents, isForsaken, takeAgentsAlong } from './hidden-agents.ts'

/** Here for the first time, or back. A participant who was dropped and not replaced takes their seat again. */
export function connect(turn: Turn, seat: Seat, language: string | undefined): void {
  if (turn.room.status.kind === 'ended' || !isOpen(seat)) return
  // They may come back with another language; they do not lose it by coming back without one.
  if (language !== undefined) seat.language = language
  const wasAway = seat.presence.kind === 'away'
  if (isForsaken(turn.room, seat)) takeAgentsAlong(turn)
  seat.presence = { kind: 'connected' }
  if (seat.hasMissed) seat.hasMissed = false
  if (seat.status === 'dropped') {
    seat.status = 'active'
    emitAbout(turn, seat, { type: 'seat', alias: seat.alias, status: 'active' })
  }
  if (!wasAway) return
  record(turn, seat, 'connected', { data: {} })
  emitAbout(turn, seat, { type: 'presence', alias: seat.alias, presence: 'connected' })
  bringAgents(turn)
}

/** Away, with a grace period in which to come back before the drop-out policy applies. */
export function disconnect(turn: Turn, seat: Seat): void {
  if (seat.presence.kind === 'away' || turn.room.status.kind === 'ended') return
  const graceUntil = seat.status === 'active' ? turn.now + turn.blueprint.dropout.graceMs : null
  const { stateId } = visitOf(turn, seat)
  seat.presence = { kind: 'away', since: turn.now, stateId, graceUntil }
  if (!isOpen(seat)) return
  record(turn, seat, 'disconnected', { data: {} })
  emitAbout(turn, seat, { type: 'presence', alias: seat.alias, presence: 'away' })
}

/** Nobody could reach the room in the meantime, so participants who were away get the whole grace period again. */
export function restoreSeat(turn: Turn, seat: Seat): void {
  const { presence } = seat
  // An agent has no connection to lose.
  if (seat.agent) return
  if (presence.kind === 'connected') {
    disconnect(turn, seat)
    if (seat.presence.kind === 'away' && seat.hasMissed !== undefined)
      seat.presence = { ...seat.presence, isServersFault: true }
  } else if (presence.graceUntil !== null && turn.room.status.kind !== 'ended')
    seat.presence = { ...presence, graceUntil: turn.now + turn.blueprint.dropout.graceMs }
}

/** Drops everyone whose grace period is over, by the experiment's policy. */
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
  // Alone in the room, nobody waits for them and no seat needs filling: they can continue whenever they come back.
  const isAlone = turn.room.seats.filter(({ agent }) => agent === undefined).length === 1
  seat.status = policy === 'replace_with_agent' && !isAlone ? 'replaced' : 'dropped'
  seat.outcome = seat.status === 'replaced' ? 'ABANDONED' : null
  if (seat.status === 'replaced') {
    recordPayoffs(turn, seat)
    recordMissing(turn, seat, 'left')
    noteDeparture(turn, seat, 'disconnected')
  }
  record(turn, seat, 'dropped', { data: { policy, fromState: lastSeen(turn, seat).stateId } })
  if (seat.status !== 'replaced' || !isReplacedUnseen(turn, seat))
    emitAbout(turn, seat, { type: 'seat', alias: seat.alias, status: shownStatus(turn.blueprint, seat) })
  if (seat.status === 'replaced') replaceWithAgent(turn, seat)
  if (policy === 'end' && !isAlone) endForPartners(turn, 'partner_dropped')
  else endRoomIfOver(turn)
}

/** Ends the room for everyone; those still in learn what to complete with. */
export function endForAll(
  turn: Turn,
  reason: string,
  outcome: string,
  outcomeOfMissing: string = outcome,
): void {
  for (const seat of turn.room.seats) {
    if (isActive(seat)) finishSeat(turn, seat, seat.hasMissed ? outcomeOfMissing : outcome, reason)
    else if (seat.status === 'dropped') {
      seat.outcome = 'ABANDONED'
      recordPayoffs(turn, seat)
      recordFinish(turn, seat, {
        outcome: seat.outcome,
        reason,
        fromState: visitOf(turn, seat).stateId,
      })
    } else if (seat.status !== 'agent') seat.outcome ??= 'ABANDONED'
  }
  endRoom(turn, reason)
}

/** RM96: a participant who was not there has not lost a partner. */
const endForPartners = (turn: Turn, reason: string): void =>
  endForAll(turn, reason, 'PARTNER_LEFT', 'ABANDONED')

/**
 * RM79: the participant has completed before the room was done with them. Their session is over, so nobody waits for them;
 * to the others it looks as if they had left.
 */
export function completeSeat(turn: Turn, seat: Seat, outcome: string): void {
  if (turn.room.status.kind === 'ended' || !isOpen(seat)) return
  finishSeat(turn, seat, outcome, 'completed')
  emitAbout(turn, seat, { type: 'seat', alias: seat.alias, status: seat.status })
  endAfterLeaving(turn)
}

/** RM97: without consent nothing more is recorded for them, not even that they have left. */
export function withdraw(turn: Turn, seat: Seat): void {
  if (turn.room.status.kind === 'ended' || !isOpen(seat)) return
  seat.status = 'left'
  seat.outcome = 'NO_CONSENT'
  noteDeparture(turn, seat, 'withdrawn')
  emitAbout(turn, seat, { type: 'seat', alias: seat.alias, status: seat.status })
  emitToSeat(turn, seat, { type: 'finished', outcome: seat.outcome, completionCode: null })
  endAfterLeaving(turn)
}

function endAfterLeaving(turn: Turn): void {
  if (turn.blueprint.dropout.policy === 'end' && turn.room.seats.length > 1)
    endForPartners(turn, 'partner_left')
  else endRoomIfOver(turn)
}

/** Gone for good: left, or removed by a researcher. */
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
  recordMissing(turn, seat, 'left')
  noteDeparture(turn, seat, status)
  record(turn, seat, status, { data: { outcome, reason, fromState: lastSeen(turn, seat).stateId } })
  const isReplaced = status === 'left' && turn.blueprint.dropout.policy === 'replace_with_agent'
  if (!isReplaced || !isReplacedUnseen(turn, seat))
    emitAbout(turn, seat, { type: 'seat', alias: seat.alias, status })
  else if (seat.presence.kind === 'connected')
    emitAbout(turn, seat, { type: 'presence', alias: seat.alias, presence: 'away' })
  emitToSeat(turn, seat, { type: 'finished', outcome, completionCode: null })
  if (isReplaced) replaceWithAgent(turn, seat)
  if (status === 'left') endAfterLeaving(turn)
  else endRoomIfOver(turn)
}
