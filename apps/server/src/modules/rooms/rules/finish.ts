import { isPerson } from '../model/agents-in-room.ts'
import { recordFinish } from '../model/attrition.ts'
import { recordPayoffs } from '../model/room-records.ts'
import { isActive, isOpen, type Seat } from '../model/room-state.ts'
import { emitToRoom, emitToSeat, type Turn, visitOf } from '../model/turn.ts'
import { goOnTo, nextStageOf } from './next-stage.ts'
import type { Unit } from './units.ts'

/** The end for these participants: those still in get SUCCESS, or the outcome of what led here (R57). */
export function finish(turn: Turn, unit: Unit, fromState: string | null, outcome: string): void {
  for (const seat of unit.seats.filter(isOpen)) {
    // Rooms opened before RM96 go by the grace period alone.
    const hasMissed = seat.hasMissed ?? !isActive(seat)
    const ending = hasMissed ? 'ABANDONED' : outcome
    const next = nextStageOf(turn, seat, ending)
    if (next === undefined) finishSeat(turn, seat, ending, undefined, fromState)
    else goOnTo(turn, seat, next, fromState)
  }
  if (turn.room.flow) endRoom(turn, 'finished')
  else endRoomIfOver(turn)
}

/** `fromState` is where the flow was; after the last state it no longer knows. */
export function finishSeat(
  turn: Turn,
  seat: Seat,
  outcome: string,
  reason?: string,
  fromState: string | null = visitOf(turn, seat).stateId,
): void {
  seat.status = 'finished'
  seat.outcome = outcome
  recordPayoffs(turn, seat)
  recordFinish(turn, seat, { outcome, reason, fromState })
  emitToSeat(turn, seat, { type: 'finished', outcome, completionCode: null })
}

/** Ends the room once nobody can continue in it. Agents do not go on without people, except in a room of their own. */
export function endRoomIfOver(turn: Turn): void {
  const { seats, status } = turn.room
  const playing = seats.some(isPerson) ? seats.filter(isPerson) : seats
  if (status.kind === 'ended' || playing.some(isOpen)) return
  for (const seat of seats.filter(isActive)) finishSeat(turn, seat, 'ABANDONED', 'everyone_done')
  endRoom(turn, 'everyone_done')
}

export function endRoom(turn: Turn, reason: string): void {
  turn.room.status = { kind: 'ended', reason }
  delete turn.room.playback
  emitToRoom(turn, { type: 'room_ended', reason })
}
