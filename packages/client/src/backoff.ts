const firstStepMs = 500
const longestMs = 30_000

/**
 * Full jitter: anywhere between zero and the step. With a smaller share of jitter, a whole classroom that was cut off at
 * the same moment would come back at the same moment.
 */
export function backoffMs(failures: number, random: () => number, maxMs = longestMs): number {
  const stepMs = Math.min(maxMs, firstStepMs * 2 ** Math.min(Math.max(0, failures - 1), 16))
  return Math.round(random() * stepMs)
}

/** The server's delay is the minimum; jitter is added, or everyone would return in the same second. */
export function retryDelayMs(
  failures: number,
  retryAfterMs: number | undefined,
  random: () => number,
): number {
  if (retryAfterMs === undefined) return backoffMs(failures, random)
  return retryAfterMs + Math.round(random() * firstStepMs)
}

/** `Retry-After`: seconds or a date. More than ten minutes is taken for a mistake. */
export function parseRetryAfter(header: string | null, now: number): number | undefined {
  if (header === null || header.trim() === '') return undefined
  const seconds = Number(header)
  const waitMs = Number.isNaN(seconds) ? Date.parse(header) - now : seconds * 1000
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(0, waitMs), 600_000)
}
