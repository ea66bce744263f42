import { limits } from '@atrium/contract'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { RateLimiter, RateState } from '../../ports/rate-limiter.ts'

/** One library limiter per bucket, created on first use. */
export function createInProcessLimiter(): RateLimiter {
  const made = new Map<string, RateLimiterMemory>()
  const limiterOf = (bucket: string, limit: number): RateLimiterMemory => {
    const known = made.get(bucket)
    if (known) return known
    const limiter = new RateLimiterMemory({
      keyPrefix: `limit:${bucket}`,
      points: limit,
      duration: limits.rateWindowSeconds,
    })
    made.set(bucket, limiter)
    return limiter
  }
  return {
    async consume(bucket, key, limit) {
      try {
        return stateOf(await limiterOf(bucket, limit).consume(key), limit, true)
      } catch (refusal) {
        if (refusal instanceof RateLimiterRes) return stateOf(refusal, limit, false)
        throw refusal
      }
    },
    async peek(bucket, key, limit) {
      const state = await limiterOf(bucket, limit).get(key)
      return stateOf(state ?? new RateLimiterRes(limit, limits.rateWindowSeconds * 1000), limit, true)
    },
  }
}

const stateOf = (state: RateLimiterRes, limit: number, allowed: boolean): RateState => ({
  allowed,
  limit,
  remaining: Math.max(0, state.remainingPoints),
  // The library uses the machine's clock, which somebody may have set back.
  resetInMs: Math.min(Math.max(0, state.msBeforeNext), limits.rateWindowSeconds * 1000),
})
