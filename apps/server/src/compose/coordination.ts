import { connectRedis, untilConnected } from '@atrium/program'
import { createInProcessBus } from '../adapters/in-process/bus.ts'
import { createInProcessPods } from '../adapters/in-process/pod-directory.ts'
import { createInProcessLimiter } from '../adapters/in-process/rate-limiter.ts'
import { createInProcessWaiting } from '../adapters/in-process/waiting-queue.ts'
import { createRedisBus } from '../adapters/redis/bus.ts'
import { createRedisPods } from '../adapters/redis/pod-directory.ts'
import { createRedisLimiter } from '../adapters/redis/rate-limiter.ts'
import { createRedisWaiting } from '../adapters/redis/waiting-queue.ts'
import type { Config } from '../config/config.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Bus } from '../ports/bus.ts'
import type { PodDirectory } from '../ports/pod-directory.ts'
import type { RateLimiter } from '../ports/rate-limiter.ts'
import type { WaitingQueue } from '../ports/waiting-queue.ts'

export interface Coordination {
  bus: Bus
  limiter: RateLimiter
  pods: PodDirectory
  queue: WaitingQueue
  close(): Promise<void>
}

/** What instances tell each other: through Redis, or within the process of the only one. */
export async function openCoordination(
  { redisUrl, redisPatienceMs }: Config,
  clock: Clock,
  onError: (error: unknown) => void,
): Promise<Coordination> {
  if (!redisUrl) {
    const bus = createInProcessBus()
    const pods = createInProcessPods(clock)
    const queue = createInProcessWaiting(pods)
    return { bus, limiter: createInProcessLimiter(), pods, queue, close: () => bus.close() }
  }
  const redis = connectRedis(redisUrl, onError, redisPatienceMs)
  const subscriber = connectRedis(redisUrl, onError)
  await untilConnected(redis, 2_000)
  const bus = createRedisBus(redis, subscriber)
  return {
    bus,
    limiter: createRedisLimiter(redis),
    pods: createRedisPods(redis),
    queue: createRedisWaiting(redis),
    async close() {
      await bus.close()
      redis.disconnect()
    },
  }
}
