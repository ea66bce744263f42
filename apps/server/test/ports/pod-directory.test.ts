import { waitUntil } from '@atrium/testkit'
import { describe, expect, test } from 'vitest'
import { createInProcessPods } from '../../src/adapters/in-process/pod-directory.ts'
import { createRedisPods } from '../../src/adapters/redis/pod-directory.ts'
import { describeBothAdapters, useRedis } from './both-adapters.ts'

const metrics = (activeRooms: number) => ({
  activeRooms,
  totalParticipants: 4 * activeRooms,
  lastUpdate: 1_700_000_000_000,
  cpuUsage: 0.25,
  memoryUsage: 104_857_600,
})
const byPodId = <Pod extends { podId: string }>(pods: Pod[]) =>
  pods.toSorted((one, other) => (one.podId < other.podId ? -1 : 1))

describeBothAdapters(
  'pod directory',
  { inProcess: createInProcessPods, redis: async (connect) => createRedisPods(await connect()) },
  (create) => {
    test('lists what pods reported last, until they are removed', async () => {
      const pods = await create()
      expect(await pods.list()).toEqual([])
      await pods.report('pod-a', metrics(1))
      await pods.report('pod:b:metrics', metrics(2))
      await pods.report('pod-a', metrics(3))
      expect(byPodId(await pods.list())).toEqual([
        { podId: 'pod-a', metrics: metrics(3) },
        { podId: 'pod:b:metrics', metrics: metrics(2) },
      ])
      await pods.remove('pod-a')
      await pods.remove('pod-unknown')
      expect(await pods.list()).toEqual([{ podId: 'pod:b:metrics', metrics: metrics(2) }])
    })
  },
)

describe('pod directory over Redis', () => {
  const redis = useRedis()

  test('[R28] the key holds exactly what the contract says, for at most 180 s, renewed at each report', async () => {
    const client = await redis.connect()
    const pods = createRedisPods(client)
    await pods.report('pod-7', metrics(2))
    expect(await client.keys('*')).toEqual(['pod:pod-7:metrics'])
    expect(JSON.parse((await client.get('pod:pod-7:metrics')) ?? '')).toEqual({
      activeRooms: 2,
      totalParticipants: 8,
      lastUpdate: 1_700_000_000_000,
      cpuUsage: 0.25,
      memoryUsage: 104_857_600,
    })
    const ttl = await client.ttl('pod:pod-7:metrics')
    expect(ttl).toBeGreaterThan(170)
    expect(ttl).toBeLessThanOrEqual(180)
    await client.expire('pod:pod-7:metrics', 5)
    await pods.report('pod-7', metrics(2))
    expect(await client.ttl('pod:pod-7:metrics')).toBeGreaterThan(170)
  })

  test('instances see each other; a key with something else in it hides nobody', async () => {
    const client = await redis.connect()
    await client.flushall()
    await createRedisPods(await redis.connect()).report('pod-1', metrics(1))
    await client.set('pod:broken:metrics', '{"activeRooms":')
    await client.set('pod:other:metrics', '{"activeRooms":-1}')
    await client.hset('pod:hash:metrics', 'a', 'b')
    expect(await createRedisPods(client).list()).toEqual([{ podId: 'pod-1', metrics: metrics(1) }])
  })

  test('a directory of many pods is complete', async () => {
    const client = await redis.connect()
    await client.flushall()
    const pods = createRedisPods(client)
    await Promise.all(Array.from({ length: 500 }, (_, index) => pods.report(`pod-${index}`, metrics(index))))
    expect(await pods.list()).toHaveLength(500)
  })

  test('[R9] without Redis it says so, and works again when Redis is back', async () => {
    const pods = createRedisPods(await redis.connect())
    await redis.program().kill()
    await expect(pods.list()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await expect(pods.report('pod-1', metrics(1))).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await redis.program().restart()
    const isBack = async (): Promise<true> => {
      await pods.report('pod-1', metrics(1))
      return true
    }
    await waitUntil(isBack)
    expect(await pods.list()).toEqual([{ podId: 'pod-1', metrics: metrics(1) }])
  })
})
