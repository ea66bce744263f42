import type { RoomAssigned, WaitingEnded, WaitingStatus } from '@atrium/contract'
import { hasConsent, type SessionRecord, statusAt } from '../sessions/index.ts'
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

/** Waits that ended before the reason was kept are told what the outcome says. */
function reasonOf({ outcome, waitEnded }: NonNullable<SessionRecord['completion']>): WaitingEnded['reason'] {
  const known = (Object.keys(outcomeOfEnding) as (keyof typeof outcomeOfEnding)[]).find(
    (reason) => reason === waitEnded,
  )
  if (known !== undefined) return known
  if (outcome === outcomeOfEnding.deadline) return 'deadline'
  return outcome === outcomeOfEnding.screened_out ? 'screened_out' : 'left'
}

/** Tells how the wait has ended, if it has. An assignment is state: it is told on every connect (R25). */
export function endOf(waiter: Waiter, session: SessionRecord, now: number): boolean {
  const status = statusAt(session, now)
  if (status === 'active' && !hasConsent(session)) {
    // R38: withdrawn. Whoever connects again is told so by the handshake.
    waiter.close()
    return true
  }
  if (status === 'active' && session.roomId === null) return false
  if (session.roomId !== null && status === 'active') {
    const { roomId } = session
    waiter.tell('room_assigned', { roomId, redirectUrl: `/experiment/${roomId}` })
    return true
  }
  const { completion } = session
  if (completion && session.roomId === null)
    waiter.tell('waiting_ended', {
      reason: reasonOf(completion),
      completionCode: completion.completionCode,
      redirectUrl: completion.redirectUrl,
    })
  else waiter.tell('session_ended', { status })
  waiter.close()
  return true
}
