import { keys, limits, PodMetrics } from '@atrium/contract'
import type { Redis } from 'ioredis'
import { Value } from 'typebox/value'
import { AppError } from '../../kernel/app-error.ts'
import type { PodDirectory } from '../../ports/pod-directory.ts'

/** The contract's `pod:<pod_id>:metrics` keys, which lapse when their pod no longer reports (R28). */
export function createRedisPods(redis: Redis): PodDirectory {
  return {
    report: (podId, metrics) =>
      orUnavailable(async () => {
        await redis.set(keys.podMetrics(podId), JSON.stringify(metrics), 'EX', limits.podKeyTtlSeconds)
      }),
    remove: (podId) =>
      orUnavailable(async () => {
        await redis.del(keys.podMetrics(podId))
      }),
    list: () => orUnavailable(() => list(redis)),
  }
}

/** Whoever asks for the directory while Redis is away hears 503, not that something is broken on our side. */
async function orUnavailable<Value>(ask: () => Promise<Value>): Promise<Value> {
  try {
    return await ask()
  } catch (error) {
    const refusal = new AppError('UNAVAILABLE')
    refusal.cause = error
    throw refusal
  }
}

async function list(redis: Redis): Promise<{ podId: string; metrics: PodMetrics }[]> {
  const names = await scan(redis, keys.podMetricsPattern)
  if (names.length === 0) return []
  const texts = await redis.mget(names)
  return names.flatMap((name, index) => {
    const metrics = parse(texts[index] ?? null)
    return metrics ? [{ podId: keys.podIdIn(name), metrics }] : []
  })
}

async function scan(redis: Redis, pattern: string): Promise<string[]> {
  const found = new Set<string>()
  let cursor = '0'
  do {
    const [next, names] = await redis.scan(cursor, 'MATCH', pattern, 'COUNT', 200)
    for (const name of names) found.add(name)
    cursor = next
  } while (cursor !== '0')
  return [...found]
}

/** A key that holds something else is no pod, and must not hide the others. */
function parse(text: string | null): PodMetrics | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return Value.Check(PodMetrics, value) ? value : undefined
  } catch {
    return undefined
  }
}
