import { Redis } from 'ioredis'

const usualPatienceMs = 250

/**
 * Redis holds only what can be rebuilt, so nobody may wait for it: a command without an answer fails after a quarter
 * of a second, commands fail at once while Redis is away, and every caller can continue without it.
 */
export function connectRedis(
  url: string,
  onError: (error: Error) => void,
  patienceMs = usualPatienceMs,
): Redis {
  const redis = new Redis(url, {
    commandTimeout: patienceMs,
    connectTimeout: 1_000,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(attempt * 100, 1_000),
  })
  redis.on('error', onError)
  return redis
}

/** Resolves when the first connection is ready, or after a while without it: the server starts anyway. */
export function untilConnected(redis: Redis, patienceMs: number): Promise<void> {
  return new Promise((resolve) => {
    if (redis.status === 'ready') return resolve()
    const timer = setTimeout(resolve, patienceMs)
    redis.once('ready', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
