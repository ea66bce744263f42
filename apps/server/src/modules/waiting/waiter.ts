import type { RoomAssigned, WaitingEnded, WaitingStatus } from '@atrium/contract'
import { hasConsent, type SessionRecord, statusAt } from '../sessions/index.ts'
import { outcomeOfEnding } from './match-round.ts'

export interface WaitingMessages {
  waiting_status: WaitingStatus
  room_assigned: RoomAssigned
  waiting_ended: WaitingEnded
  session_ended: { status: string }
}

/** A waiting participant, as the socket sees them. */
export interface Waiter {
  session: SessionRecord
  send<Name extends keyof WaitingMessages>(name: Name, payload: WaitingMessages[Name]): void
  /** Nothing more will be sent. */
  close(): void
  isGone(): boolean
}

/** For waits that ended before reasons were stored, the reason follows from the outcome. */
function reasonOf({ outcome, waitEnded }: NonNullable<SessionRecord['completion']>): WaitingEnded['reason'] {
  const known = (Object.keys(outcomeOfEnding) as (keyof typeof outcomeOfEnding)[]).find(
    (reason) => reason === waitEnded,
  )
  if (known !== undefined) return known
  if (outcome === outcomeOfEnding.deadline) return 'deadline'
  return outcome === outcomeOfEnding.screened_out ? 'screened_out' : 'left'
}

/** Sends how the wait has ended, if it has. An assignment is state: it is sent on every connect (R25). */
export function endOf(waiter: Waiter, session: SessionRecord, now: number): boolean {
  const status = statusAt(session, now)
  if (status === 'active' && !hasConsent(session)) {
    // R38: consent withdrawn. The handshake says so to anyone who reconnects.
    waiter.close()
    return true
  }
  if (status === 'active' && session.roomId === null) return false
  if (session.roomId !== null && status === 'active') {
    const { roomId } = session
    waiter.send('room_assigned', { roomId, redirectUrl: `/experiment/${roomId}` })
    return true
  }
  const { completion } = session
  if (completion && session.roomId === null)
    waiter.send('waiting_ended', {
      reason: reasonOf(completion),
      completionCode: completion.completionCode,
      redirectUrl: completion.redirectUrl,
    })
  else waiter.send('session_ended', { status })
  waiter.close()
  return true
}
