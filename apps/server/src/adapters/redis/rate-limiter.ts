import type { Redis } from 'ioredis'
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible'
import type { RateLimiter } from '../../ports/rate-limiter.ts'
import { createLimiter } from '../in-process/rate-limiter.ts'

/** Limits that hold across instances. Without Redis each instance counts alone; nobody is refused for that (R10). */
export const createRedisLimiter = (redis: Redis): RateLimiter =>
  createLimiter(
    (bucket) =>
      new RateLimiterRedis({
        ...bucket,
        storeClient: redis,
        insuranceLimiter: new RateLimiterMemory(bucket),
      }),
  )
