import { waitUntil } from '@atrium/testkit'
import type { Redis } from 'ioredis'
import { describe, expect, test } from 'vitest'
import { createInProcessLimiter } from '../../src/adapters/in-process/rate-limiter.ts'
import { createRedisLimiter } from '../../src/adapters/redis/rate-limiter.ts'
import type { RateLimiter } from '../../src/ports/rate-limiter.ts'
import { describeBothAdapters, useRedis } from './both-adapters.ts'

const windowMs = 60_000

async function consume(limiter: RateLimiter, times: number, key = 'someone', limit = 3) {
  const states = []
  for (let time = 0; time < times; time++) states.push(await limiter.consume('events', key, limit))
  return states
}

/** The number of scripts Redis has run so far; the limiter runs one per count. */
async function scriptsRun(redis: Redis): Promise<number> {
  const calls = [...(await redis.info('commandstats')).matchAll(/^cmdstat_eval(?:sha)?:calls=(\d+)/gm)]
  return calls.reduce((sum, [, count]) => sum + Number(count), 0)
}

describeBothAdapters(
  'rate limiter',
  {
    inProcess: createInProcessLimiter,
    redis: async (connect) => createRedisLimiter(await connect()),
  },
  (create) => {
    test('[R10] counts down to zero, then refuses until the window ends', async () => {
      const limiter = await create()
      const states = await consume(limiter, 5)
      expect(states.map(({ allowed }) => allowed)).toEqual([true, true, true, false, false])
      expect(states.map(({ remaining }) => remaining)).toEqual([2, 1, 0, 0, 0])
      for (const { limit, resetInMs } of states) {
        expect(limit).toBe(3)
        expect(resetInMs).toBeGreaterThan(0)
        expect(resetInMs).toBeLessThanOrEqual(windowMs)
      }
      // All share one window: refused requests do not extend it.
      const remaining = states.map(({ resetInMs }) => resetInMs)
      expect(remaining.toSorted((one, other) => other - one)).toEqual(remaining)
    })

    test('[R10] keys and buckets are counted separately, whatever characters they contain', async () => {
      const limiter = await create()
      const keys = ['a', 'a:b', 'issuer sub|ü "q" \\ 👋', 'x'.repeat(2_000)]
      for (const key of keys) {
        const [state] = await consume(limiter, 1, `apart ${key}`)
        expect(state).toMatchObject({ allowed: true, remaining: 2 })
      }
      const other = await limiter.consume('other', 'apart a', 3)
      expect(other.remaining).toBe(2)
    })

    test('[R10] peeking does not count', async () => {
      const limiter = await create()
      expect(await limiter.peek('events', 'watched', 3)).toMatchObject({
        allowed: true,
        remaining: 3,
        limit: 3,
      })
      await consume(limiter, 1, 'watched')
      for (let look = 0; look < 3; look++)
        expect(await limiter.peek('events', 'watched', 3)).toMatchObject({ remaining: 2 })
      await consume(limiter, 4, 'watched')
      expect(await limiter.peek('events', 'watched', 3)).toMatchObject({ remaining: 0 })
    })

    test('[R10] of many concurrent requests, exactly as many pass as the limit allows', async () => {
      const limiter = await create()
      const states = await Promise.all(
        Array.from({ length: 50 }, () => limiter.consume('events', 'crowd', 20)),
      )
      expect(states.filter(({ allowed }) => allowed)).toHaveLength(20)
    })
  },
)

describe('rate limiter over Redis', () => {
  const redis = useRedis()

  test('[R10] the limit holds across instances', async () => {
    const [one, two] = [createRedisLimiter(await redis.connect()), createRedisLimiter(await redis.connect())]
    await consume(one, 2, 'shared')
    const states = await consume(two, 2, 'shared')
    expect(states.map(({ allowed }) => allowed)).toEqual([true, false])
  })

  test('[R10] without Redis each instance counts alone without errors; afterwards the limit is shared again', async () => {
    const [one, two] = [createRedisLimiter(await redis.connect()), createRedisLimiter(await redis.connect())]
    await consume(one, 3, 'fallback')
    await redis.program().kill()
    for (const limiter of [one, two]) {
      const states = await consume(limiter, 4, 'fallback')
      expect(states.map(({ allowed }) => allowed)).toEqual([true, true, true, false])
      expect(await limiter.peek('events', 'fallback', 3)).toMatchObject({ remaining: 0 })
    }
    await redis.program().restart()
    await waitUntil(async () => {
      await one.consume('events', 'again', 1_000)
      const { remaining } = await two.peek('events', 'again', 1_000)
      return remaining < 1_000 || 'they still count apart'
    })
  })

  test('[R10] only a few of many requests wait for a Redis that does not respond', async () => {
    const [limiter, other] = [
      createRedisLimiter(await redis.connect()),
      createRedisLimiter(await redis.connect()),
    ]
    await consume(limiter, 1, 'paused')
    const observer = await redis.connect()
    const before = await scriptsRun(observer)
    redis.program().pause()
    // All are answered before Redis resumes.
    const requests = 500
    for (let time = 0; time < requests; time++) await limiter.consume('events', 'paused', 1_000)
    redis.program().resume()
    await waitUntil(async () => (await observer.ping()) === 'PONG' || 'it does not answer')
    // Redis has now run the scripts sent during the pause: one request a second, to find out whether it had resumed.
    expect((await scriptsRun(observer)) - before).toBeLessThan(requests / 10)
    await waitUntil(async () => {
      await other.consume('events', 'resumed', 1_000)
      const { remaining } = await limiter.peek('events', 'resumed', 1_000)
      return remaining < 1_000 || 'it still counts alone'
    })
  })
})
