import type { WaitingStatus } from '@atrium/contract'
import { texts } from '../../text/participant.ts'

export function neededText({ needed, neededToStart, held }: WaitingStatus): string {
  const { noCapacity, groupComplete, enough, needed: moreNeeded } = texts().waiting
  if (held === 'capacity') return noCapacity
  if (needed === 0) return groupComplete
  return neededToStart === 0 ? enough : moreNeeded(neededToStart)
}

/** Null if the end of the wait, which is shown beside it, comes first. */
export function estimateText(estimateMs: number | null, restMs: number | null): string | null {
  if (estimateMs === null) return null
  const minutes = Math.max(1, Math.round(estimateMs / 60_000))
  return restMs !== null && minutes * 60_000 > restMs ? null : texts().waiting.aboutMinutes(minutes)
}
