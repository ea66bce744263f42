import { keys, limits, PodMetrics } from '@atrium/contract'
import type { Redis } from 'ioredis'
import { Value } from 'typebox/value'
import type { PodDirectory } from '../../ports/pod-directory.ts'

/** The contract's `pod:<pod_id>:metrics` keys, which lapse when their pod no longer reports (R28). */
export function createRedisPods(redis: Redis): PodDirectory {
  return {
    async report(podId, metrics) {
      await redis.set(keys.podMetrics(podId), JSON.stringify(metrics), 'EX', limits.podKeyTtlSeconds)
    },
    async remove(podId) {
      await redis.del(keys.podMetrics(podId))
    },
    async list() {
      const names = await scan(redis, keys.podMetricsPattern)
      if (names.length === 0) return []
      const texts = await redis.mget(names)
      return names.flatMap((name, index) => {
        const metrics = parse(texts[index] ?? null)
        return metrics ? [{ podId: keys.podIdIn(name), metrics }] : []
      })
    },
  }
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

function parse(text: string | null): PodMetrics | undefined {
  if (text === null) return undefined
  const value: unknown = JSON.parse(text)
  return Value.Check(PodMetrics, value) ? value : undefined
}
