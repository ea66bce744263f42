import type { WaitingStatus } from '@atrium/contract'
import { texts } from '../../text/participant.ts'
import { clockFace } from '../views/display/clock-face.ts'

export function neededText({ stage, needed, neededToStart, held }: WaitingStatus): string {
  const { groupComplete } = texts().waiting
  const { needed: moreNeeded, later, ...first } = texts().frame.waitingRoom
  // R68: whoever waits for a later stage has begun long ago.
  const { title, noCapacity, enough } = stage === undefined ? { ...texts().waiting, ...first } : later
  if (held === 'capacity') return noCapacity
  if (needed === 0) return groupComplete
  return neededToStart === 0 ? enough : `${title} ${moreNeeded(neededToStart)}`
}

/** How long it may take, in words, as the queue estimates it; it says so where nobody can know. */
export function estimateText(estimateMs: number | null, restMs: number | null): string {
  const { estimate, noEstimate, soon } = texts().frame.waitingRoom
  if (estimateMs === null) return noEstimate
  // At most until the deadline: one that reaches it says nothing about the group.
  if (restMs !== null && estimateMs >= restMs) return noEstimate
  if (estimateMs < 15_000) return soon
  const minutes = Math.max(1, Math.round(estimateMs / 60_000))
  // An estimate must not promise more than the wait lasts.
  return restMs !== null && minutes * 60_000 > restMs
    ? noEstimate
    : estimate(texts().waiting.aboutMinutes(minutes))
}

/** Whether it is still a matter of how many are here. */
export const isCounting = ({ neededToStart, held }: WaitingStatus): boolean =>
  held === null && neededToStart > 0

/**
 * The fewest with whom it starts at the deadline, including those who are here. Undefined where a group may start with whoever is
 * here then.
 */
export const leastToStart = ({
  atDeadline = 'end',
  groupSize = 0,
  needed,
  neededToStart,
}: WaitingStatus): number | undefined =>
  atDeadline === 'start' || neededToStart === needed ? undefined : groupSize - needed + neededToStart

/** In a large group, what happens at the deadline is what most of them wait for. Empty where nothing does. */
export function countdownText(status: WaitingStatus, restMs: number): string {
  const { atDeadline = 'end', needed, neededToStart } = status
  const { start, enough, end, endBelow } = texts().frame.waitingRoom.lobby
  if (restMs <= 0 || needed === 0) return ''
  const clock = clockFace(restMs, 'down')
  if (neededToStart === 0) return enough(clock)
  if (atDeadline === 'wait') return ''
  if (atDeadline === 'start') return start(clock)
  const least = leastToStart(status)
  return least === undefined ? end(clock) : endBelow(clock, least)
}
