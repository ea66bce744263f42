import { Redis } from 'ioredis'

/**
 * Redis holds only what can be rebuilt, so nobody may wait for it: a command without an answer fails after a
 * quarter of a second and while it is away commands fail at once, and every caller has a way on its own.
 */
export function connectRedis(url: string, onError: (error: Error) => void): Redis {
  const redis = new Redis(url, {
    commandTimeout: 250,
    connectTimeout: 1_000,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(attempt * 100, 1_000),
  })
  redis.on('error', onError)
  return redis
}

/** Resolves when the first connection stands, or after a while without it: the server starts all the same. */
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
