import type { LiveExperiment, LiveRoom } from '@atrium/contract'

export type Stuck = 'away' | 'long'

/** The usual grace period: after it, somebody who is away may not come back. */
const awayMs = 60_000
/** States without a deadline are usually a page to read or a question to answer. */
const longMs = 10 * 60_000
/** Where it is known how long others took: so many times as long, but not before a minute. */
const timesUsual = 3
const minLongMs = 60_000
/** With fewer visits, nobody knows what is usual. */
const minVisits = 5

type Usual = Pick<LiveExperiment['usual'][number], 'medianMs' | 'visits'> | undefined

/** Why a room may need somebody to look at it; null for rooms that seem to go on by themselves. */
export function stuckBy(
  { status, resting, enteredAt, deadlineAt, seats }: LiveRoom,
  now: number,
  usual?: Usual,
): Stuck | null {
  if (status !== 'running' || resting) return null
  const isAway = seats.some(
    (seat) => seat.status === 'active' && seat.awaySince !== null && now - seat.awaySince > awayMs,
  )
  if (isAway) return 'away'
  return enteredAt !== null && deadlineAt === null && now - enteredAt > maxMs(usual) ? 'long' : null
}

const maxMs = (usual: Usual): number =>
  usual && usual.visits >= minVisits ? Math.max(minLongMs, timesUsual * usual.medianMs) : longMs
