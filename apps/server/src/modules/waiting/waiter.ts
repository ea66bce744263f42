import type { RoomAssigned, WaitingEnded, WaitingStatus } from '@atrium/contract'
import { type SessionRecord, statusAt } from '../sessions/index.ts'
import { outcomeOfEnding } from './match-round.ts'

interface WaitingMessages {
  waiting_status: WaitingStatus
  room_assigned: RoomAssigned
  waiting_ended: WaitingEnded
  session_ended: { status: string }
}

/** Who waits, as the socket sees them. */
export interface Waiter {
  session: SessionRecord
  tell<Name extends keyof WaitingMessages>(name: Name, payload: WaitingMessages[Name]): void
  /** Nothing more will be told. */
  close(): void
  isGone(): boolean
}

const reasonOf = (outcome: string): WaitingEnded['reason'] =>
  outcome === outcomeOfEnding.deadline
    ? 'deadline'
    : outcome === outcomeOfEnding.screened_out
      ? 'screened_out'
      : 'left'

/** Tells how the wait has ended, if it has. An assignment is state: it is told on every connect (R25). */
export function endOf(waiter: Waiter, session: SessionRecord, now: number): boolean {
  const status = statusAt(session, now)
  if (status === 'active' && session.roomId === null) return false
  if (session.roomId !== null && status === 'active') {
    const { roomId } = session
    waiter.tell('room_assigned', { roomId, redirectUrl: `/experiment/${roomId}` })
    return true
  }
  const { completion } = session
  if (completion && session.roomId === null)
    waiter.tell('waiting_ended', {
      reason: reasonOf(completion.outcome),
      completionCode: completion.completionCode,
      redirectUrl: completion.redirectUrl,
    })
  else waiter.tell('session_ended', { status })
  waiter.close()
  return true
}
