/** Allows a burst, then a steady rate. Time is an argument. */
export function createTokenBucket(perSecond: number, burst: number, startedAt: number) {
  let tokens = burst
  let at = startedAt
  return {
    take(now: number): boolean {
      tokens = Math.min(burst, tokens + ((now - at) / 1000) * perSecond)
      at = now
      if (tokens < 1) return false
      tokens -= 1
      return true
    },
  }
}
