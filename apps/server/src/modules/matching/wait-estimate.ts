import { largestGroup, type MatchingSettings } from './matching-settings.ts'

/** Fewer arrivals say nothing about the pace. */
const fewestArrivals = 3

/**
 * M18: how many people must still come before the group of whoever stands at this place (from 1) is complete. Roles and
 * exclusions are left out: what they ask for cannot be promised.
 */
export function neededFor(
  position: number,
  waiting: number,
  settings: MatchingSettings,
  isDue = false,
): number {
  const size = settings.deadlineMs === null || isDue ? settings.min : largestGroup(settings)
  return Math.max(0, Math.ceil(position / size) * size - waiting)
}

/** M19: how long that may take, from when people came lately, oldest first; null when it cannot be said. */
export function estimateWaitMs(
  recentArrivals: readonly number[],
  needed: number | null,
  now: number,
): number | null {
  if (needed === 0) return 0
  const [first] = recentArrivals
  if (needed === null || first === undefined || recentArrivals.length < fewestArrivals) return null
  // Up to now, not up to the last arrival: when nobody comes any more the estimate must grow.
  const elapsedMs = now - first
  return elapsedMs > 0 ? Math.round((needed * elapsedMs) / (recentArrivals.length - 1)) : null
}
