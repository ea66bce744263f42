import type { LiveRoom } from '@atrium/contract'

export type Stuck = 'away' | 'long'

/** The usual grace period: after it, somebody who is away may not come back. */
const awayMs = 60_000
/** States without a deadline are usually a page to read or a question to answer. */
const longMs = 10 * 60_000

/** Why a room may need somebody to look at it; null for rooms that seem to go on by themselves. */
export function stuckBy(
  { status, resting, enteredAt, deadlineAt, seats }: LiveRoom,
  now: number,
): Stuck | null {
  if (status !== 'running' || resting) return null
  const isAway = seats.some(
    (seat) => seat.status === 'active' && seat.awaySince !== null && now - seat.awaySince > awayMs,
  )
  if (isAway) return 'away'
  return enteredAt !== null && deadlineAt === null && now - enteredAt > longMs ? 'long' : null
}
