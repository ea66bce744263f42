import type { RoomAction } from '../model/room-action.ts'
import { isOpen } from '../model/room-state.ts'
import { seatOf, type Turn } from '../model/turn.ts'
import { endRoomIfOver, finishSeat } from './finish.ts'
import { takeCondition } from './late-conditions.ts'

/** RM207: somebody has their condition, and goes on; when all were full, they leave (RM206). */
export function assigned(turn: Turn, action: RoomAction<'assigned'>): void {
  const seat = seatOf(turn, action.participantId)
  if (seat.toAssignSince === undefined) return
  takeCondition(turn, seat, action)
  if (action.condition !== null || !isOpen(seat)) return
  finishSeat(turn, seat, 'QUOTA_FULL')
  endRoomIfOver(turn)
}
