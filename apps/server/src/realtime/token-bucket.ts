export type TokenBucket = ReturnType<typeof createTokenBucket>

/** Allows a burst, then a steady rate. Time is an argument. */
export function createTokenBucket(perSecond: number, burst: number, startedAt: number) {
  let tokens = burst
  let at = startedAt

  function refill(now: number): void {
    tokens = Math.min(burst, tokens + ((now - at) / 1000) * perSecond)
    at = now
  }

  return {
    take(now: number): boolean {
      refill(now)
      if (tokens < 1) return false
      tokens -= 1
      return true
    },
    /** For something that has already happened and cannot be refused; false if it was more than was left. */
    spend(now: number, amount: number): boolean {
      refill(now)
      const isEnough = tokens >= amount
      tokens = Math.max(0, tokens - amount)
      return isEnough
    },
    /** How long until this many are available. */
    msUntil(now: number, amount: number): number {
      refill(now)
      return Math.max(0, ((amount - tokens) / perSecond) * 1000)
    },
  }
}
