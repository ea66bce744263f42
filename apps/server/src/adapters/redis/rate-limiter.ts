import type { Redis } from 'ioredis'
import { RateLimiterRedis } from 'rate-limiter-flexible'
import { createBreaker } from '../../kernel/breaker.ts'
import type { RateLimiter, RateState } from '../../ports/rate-limiter.ts'
import { createInProcessLimiter, createLimiter } from '../in-process/rate-limiter.ts'

/** Asking a paused Redis costs a full time-out, so only one request a second tries whether it is back. */
const restMs = 1_000
const trialMs = 1_000

/**
 * Limits shared by all instances. Without Redis each instance counts alone; nobody is refused because of that (R10).
 */
export function createRedisLimiter(redis: Redis): RateLimiter {
  const shared = createLimiter((bucket) => new RateLimiterRedis({ ...bucket, storeClient: redis }))
  const alone = createInProcessLimiter()
  const breaker = createBreaker({ restMs, trialMs })

  async function ask(question: (limiter: RateLimiter) => Promise<RateState>): Promise<RateState> {
    if (!breaker.mayAsk(performance.now())) return await question(alone)
    try {
      const state = await question(shared)
      breaker.answered()
      return state
    } catch {
      // Safe: whatever went wrong with Redis, the request must not suffer from it, and the connection reports the
      // error.
      breaker.stayedSilent(performance.now())
      return await question(alone)
    }
  }

  return {
    consume: (bucket, key, limit) => ask((limiter) => limiter.consume(bucket, key, limit)),
    peek: (bucket, key, limit) => ask((limiter) => limiter.peek(bucket, key, limit)),
  }
}
