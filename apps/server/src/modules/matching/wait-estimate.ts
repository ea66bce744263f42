import { largestGroup, type MatchingSettings } from './matching-settings.ts'

/** With fewer arrivals, the pace is unknown. */
const fewestArrivals = 3

/** Without a deadline, a group starts as soon as it is large enough; with one, it waits until it is full. */
export const completeGroupOf = (settings: MatchingSettings): number =>
  settings.deadlineMs === null ? settings.min : largestGroup(settings)

/**
 * M18: how many people must still arrive before the group of the person at this position (from 1) is complete, or, if
 * `isDue`, large enough to start at the deadline. Roles, parts and exclusions are ignored: what they require
 * cannot be promised.
 */
export function neededFor(
  position: number,
  waiting: number,
  settings: MatchingSettings,
  isDue = false,
): number {
  const complete = completeGroupOf(settings)
  const inGroupsBefore = (Math.ceil(position / complete) - 1) * complete
  return Math.max(0, inGroupsBefore + (isDue ? settings.min : complete) - waiting)
}

/** M19: how long that may take, judging by recent arrivals, oldest first; null when it cannot be estimated. */
export function estimateWaitMs(
  recentArrivals: readonly number[],
  needed: number | null,
  now: number,
): number | null {
  if (needed === 0) return 0
  const [first] = recentArrivals
  if (needed === null || first === undefined || recentArrivals.length < fewestArrivals) return null
  // Up to now, not up to the last arrival: when nobody else comes, the estimate must grow.
  const elapsedMs = now - first
  return elapsedMs > 0 ? Math.round((needed * elapsedMs) / (recentArrivals.length - 1)) : null
}
