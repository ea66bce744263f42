import type { PodLease } from '@atrium/coordination'
import { waitUntil } from '@atrium/testkit'
import { describe, expect, test } from 'vitest'
import { createInProcessPods } from '../../src/adapters/in-process/pod-directory.ts'
import { createRedisPods } from '../../src/adapters/redis/pod-directory.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import type { PodDirectory } from '../../src/ports/pod-directory.ts'
import { describeBothAdapters, useRedis } from './both-adapters.ts'

const metrics = (activeRooms: number) => ({
  activeRooms,
  totalParticipants: 4 * activeRooms,
  lastUpdate: 1_700_000_000_000,
  cpuUsage: 0.25,
  memoryUsage: 104_857_600,
})
const lease: PodLease = {
  address: 'http://10.0.0.7:3000',
  draining: false,
  maxRooms: 20,
  maxParticipants: 80,
}
const room = (roomId: string, participantCount = 4) => ({
  roomId,
  participantCount,
  assignedAt: 1_700_000_000_123,
})
const assigned = (podId: string, participantCount = 4) => ({
  podId,
  participantCount,
  assignedAt: 1_700_000_000_123,
})
const longMs = 60_000

async function listed(pods: PodDirectory) {
  return (await pods.list()).toSorted((one, other) => (one.podId < other.podId ? -1 : 1))
}
async function loadOf(pods: PodDirectory, podId: string): Promise<[rooms: number, participants: number]> {
  const pod = (await pods.list()).find((one) => one.podId === podId)
  return [pod?.rooms ?? Number.NaN, pod?.participants ?? Number.NaN]
}
const empty = { rooms: 0, participants: 0, soloRooms: 0 }

describeBothAdapters(
  'pod directory',
  {
    inProcess: () => createInProcessPods(systemClock),
    redis: async (connect) => {
      const client = await connect()
      await client.flushall()
      return createRedisPods(client)
    },
  },
  (create) => {
    test('lists the last report of each pod until the pod is removed', async () => {
      const pods = await create()
      expect(await pods.list()).toEqual([])
      await pods.report('pod-a', metrics(1))
      await pods.report('pod:b:metrics', metrics(2))
      await pods.report('pod-a', metrics(3))
      expect(await listed(pods)).toEqual([
        { podId: 'pod-a', lease: null, metrics: metrics(3), ...empty },
        { podId: 'pod:b:metrics', lease: null, metrics: metrics(2), ...empty },
      ])
      await pods.remove('pod-a')
      await pods.remove('pod-unknown')
      expect((await listed(pods)).map(({ podId }) => podId)).toEqual(['pod:b:metrics'])
    })

    test('keeps what each pod last published of its metrics until the pod is removed', async () => {
      const pods = await create()
      expect(await pods.histories([])).toEqual(new Map())
      const history = (runningSince: number) => ({ runningSince, canWrite: true, samples: [] })
      for (const runningSince of [1, 2]) await pods.publishHistory('pod-a', history(runningSince))
      await pods.publishHistory('pod-b', history(3))
      const everywhere = ['pod-a', 'pod-b', 'pod-unknown']
      expect(await pods.histories(everywhere)).toEqual(
        new Map([
          ['pod-a', history(2)],
          ['pod-b', history(3)],
        ]),
      )
      await pods.remove('pod-a')
      expect([...(await pods.histories(everywhere)).keys()]).toEqual(['pod-b'])
    })

    test('[P10] a room is sent to the first pod named, as long as it lives; this takes no capacity', async () => {
      const pods = await create()
      for (const podId of ['pod-a', 'pod-b']) await pods.renew(podId, lease, longMs)
      const answers = await Promise.all([pods.send('pod-a', room('r1')), pods.send('pod-b', room('r1'))])
      const [first = ''] = answers
      expect(answers).toEqual([first, first])
      expect(await pods.find('r1')).toEqual(assigned(first))
      expect(await loadOf(pods, first)).toEqual([0, 0])
      await pods.remove(first)
      expect(await pods.send('pod-b', room('r1'))).toBe('pod-b')
      await pods.pin('pod-b', room('r2'))
      await pods.renew('pod-a', lease, longMs)
      expect(await pods.send('pod-a', room('r2'))).toBe('pod-b')
    })

    test('a pod is listed with its lease, with or without metrics, until it is removed', async () => {
      const pods = await create()
      await pods.renew('pod-a', lease, longMs)
      await pods.renew('pod-b', { ...lease, draining: true }, longMs)
      await pods.report('pod-b', metrics(1))
      expect(await listed(pods)).toEqual([
        { podId: 'pod-a', lease, metrics: null, ...empty },
        { podId: 'pod-b', lease: { ...lease, draining: true }, metrics: metrics(1), ...empty },
      ])
      await pods.remove('pod-b')
      expect((await listed(pods)).map(({ podId }) => podId)).toEqual(['pod-a'])
    })

    test('pods with a lease are alive, whether or not they have reported metrics', async () => {
      const pods = await create()
      expect(await pods.alive()).toEqual(new Map())
      await pods.report('pod-silent', metrics(1))
      await pods.renew('pod-a', lease, longMs)
      await pods.renew('pod-b', { ...lease, draining: true }, longMs)
      await pods.renew('pod-brief', lease, 20)
      await waitUntil(async () => (await pods.alive()).size === 2 || 'the short lease is still there')
      expect(await pods.alive()).toEqual(
        new Map([
          ['pod-a', lease],
          ['pod-b', { ...lease, draining: true }],
        ]),
      )
    })

    test('a lease that is not renewed lapses, and the next renewal reports that', async () => {
      const pods = await create()
      await pods.report('pod-a', metrics(1))
      expect(await pods.renew('pod-a', lease, longMs)).toBe(false)
      expect(await pods.renew('pod-a', lease, 20)).toBe(true)
      await waitUntil(async () => (await pods.list())[0]?.lease === null || 'the lease is still there')
      expect(await listed(pods)).toEqual([{ podId: 'pod-a', lease: null, metrics: metrics(1), ...empty }])
      expect(await pods.renew('pod-a', lease, longMs)).toBe(false)
    })

    test('a pinned room is found on its pod and counted there, until it is unpinned', async () => {
      const pods = await create()
      await pods.renew('pod-a', lease, longMs)
      expect(await pods.find('room-1')).toBeUndefined()
      await pods.pin('pod-a', room('room-1'))
      await pods.pin('pod-a', room('room-2', 3))
      expect(await pods.find('room-1')).toEqual(assigned('pod-a'))
      expect(await loadOf(pods, 'pod-a')).toEqual([2, 7])
      await pods.pin('pod-a', room('room-2', 2))
      expect(await loadOf(pods, 'pod-a')).toEqual([2, 6])
      await pods.unpin('pod-a', 'room-1')
      expect(await pods.find('room-1')).toBeUndefined()
      expect(await loadOf(pods, 'pod-a')).toEqual([1, 2])
    })

    test('the last pod to pin a room has it; the previous one no longer counts it and cannot unpin it', async () => {
      const pods = await create()
      for (const podId of ['pod-a', 'pod-b']) await pods.renew(podId, lease, longMs)
      await pods.pin('pod-a', room('room-1'))
      await pods.pin('pod-b', room('room-1'))
      expect(await loadOf(pods, 'pod-a')).toEqual([0, 0])
      expect(await loadOf(pods, 'pod-b')).toEqual([1, 4])
      await pods.unpin('pod-a', 'room-1')
      expect(await pods.find('room-1')).toEqual(assigned('pod-b'))
      expect(await loadOf(pods, 'pod-b')).toEqual([1, 4])
    })

    test('a pod that reports its rooms repairs lost and stale pins', async () => {
      const pods = await create()
      await pods.renew('pod-a', lease, longMs)
      await pods.pin('pod-a', room('over'))
      await pods.pin('pod-a', room('kept'))
      expect(await pods.holds('pod-a', [room('kept', 3), room('lost', 2)])).toEqual([])
      expect(await loadOf(pods, 'pod-a')).toEqual([2, 5])
      expect(await pods.find('kept')).toEqual(assigned('pod-a', 3))
      expect(await pods.find('lost')).toEqual(assigned('pod-a', 2))
      expect(await pods.holds('pod-a', [])).toEqual([])
      expect(await loadOf(pods, 'pod-a')).toEqual([0, 0])
    })

    test('it does not take back rooms that another pod has taken, and is told which they are', async () => {
      const pods = await create()
      for (const podId of ['pod-a', 'pod-b']) await pods.renew(podId, lease, longMs)
      await pods.pin('pod-b', room('room-1'))
      expect(await pods.holds('pod-a', [room('room-1'), room('room-2')])).toEqual(['room-1'])
      expect(await pods.find('room-1')).toEqual(assigned('pod-b'))
      expect(await loadOf(pods, 'pod-a')).toEqual([1, 4])
      expect(await loadOf(pods, 'pod-b')).toEqual([1, 4])
    })
  },
)

test('[R28] metrics and pins expire after 180 s unless renewed, in process too', async () => {
  let now = 1_700_000_000_000
  const pods = createInProcessPods({ now: () => now })
  await pods.report('pod-a', metrics(1))
  await pods.pin('pod-a', room('pinned'))
  await pods.holds('pod-a', [room('held')])
  now += 179_999
  await pods.holds('pod-a', [room('held')])
  expect(await pods.list()).toHaveLength(1)
  expect(await pods.find('pinned')).toBeDefined()
  now += 1
  expect(await pods.list()).toEqual([])
  expect(await pods.find('pinned')).toBeUndefined()
  expect(await pods.find('held')).toBeDefined()
})

describe('pod directory over Redis', () => {
  const redis = useRedis()
  const connectToEmpty = async () => {
    const client = await redis.connect()
    await client.flushall()
    return client
  }

  test('[R28] the keys hold exactly what the contract says, for at most 180 s after each renewal', async () => {
    const client = await connectToEmpty()
    const pods = createRedisPods(client)
    const metricsKey = 'pod:pod-7:metrics'
    const roomKey = 'room:room-1:pod'
    const lives = async (key: string) => {
      const ttl = await client.ttl(key)
      return ttl > 170 && ttl <= 180
    }
    await pods.report('pod-7', metrics(2))
    expect(JSON.parse((await client.get(metricsKey)) ?? '')).toEqual({
      activeRooms: 2,
      totalParticipants: 8,
      lastUpdate: 1_700_000_000_000,
      cpuUsage: 0.25,
      memoryUsage: 104_857_600,
    })
    await pods.pin('pod-7', room('room-1'))
    expect(JSON.parse((await client.get(roomKey)) ?? '')).toEqual({
      podId: 'pod-7',
      participantCount: 4,
      assignedAt: 1_700_000_000_123,
    })
    for (const key of [metricsKey, roomKey]) {
      expect(await lives(key)).toBe(true)
      await client.expire(key, 5)
    }
    await pods.report('pod-7', metrics(2))
    await pods.holds('pod-7', [room('room-1')])
    expect([await lives(metricsKey), await lives(roomKey)]).toEqual([true, true])
    await client.expire(roomKey, 5)
    await pods.pin('pod-7', room('room-1'))
    expect(await lives(roomKey)).toBe(true)
  })

  test('instances see each other; a malformed key hides no pod', async () => {
    const client = await connectToEmpty()
    const pods = createRedisPods(client)
    await createRedisPods(await redis.connect()).report('pod-1', metrics(1))
    for (const podId of ['broken', 'other', 'hash', 'counts']) await pods.renew(podId, lease, longMs)
    await client.set('pod:broken:lease', '{"address":')
    await client.set('pod:other:lease', '{"address":7}')
    await client.del('pod:hash:lease')
    await client.hset('pod:hash:lease', 'a', 'b')
    await client.hset('pod:counts:rooms', 'room-1', 'many')
    await client.set('pod:counts:reserved', 'text')
    expect(await listed(pods)).toEqual([
      { podId: 'counts', lease, metrics: null, rooms: 1, participants: 0, soloRooms: 0 },
      { podId: 'pod-1', lease: null, metrics: metrics(1), ...empty },
    ])
  })

  test('[R28] a pod written by other software is found by one instance on behalf of all', async () => {
    const client = await connectToEmpty()
    const instances = await Promise.all(
      Array.from({ length: 5 }, async () => createRedisPods(await redis.connect())),
    )
    await client.set('pod:pod-foreign:metrics', JSON.stringify(metrics(1)))
    await client.config('RESETSTAT')
    await Promise.all(instances.map((pods, index) => pods.report(`pod-${index}`, metrics(1))))
    for (const pods of instances) expect(await pods.list()).toHaveLength(6)
    expect(await client.info('commandstats')).toMatch(/cmdstat_scan:calls=1,/)
  })

  test('a malformed room key names no pod', async () => {
    const client = await connectToEmpty()
    const pods = createRedisPods(client)
    const rubbish = { text: '{"podId":', number: '7', list: '[]', wrong: '{"podId":7}' }
    for (const [roomId, text] of Object.entries(rubbish)) await client.set(`room:${roomId}:pod`, text)
    await client.hset('room:hash:pod', 'a', 'b')
    for (const roomId of [...Object.keys(rubbish), 'hash']) {
      expect(await pods.find(roomId)).toBeUndefined()
      await pods.unpin('pod-a', roomId)
      expect(await pods.holds('pod-a', [room(roomId)])).toEqual([])
      expect(await pods.find(roomId)).toEqual(assigned('pod-a'))
    }
  })

  test('a directory of many pods is complete', async () => {
    const pods = createRedisPods(await connectToEmpty())
    // One at a time: each has a second, which five hundred at once would share.
    for (let index = 0; index < 500; index++) await pods.report(`pod-${index}`, metrics(index))
    expect(await pods.list()).toHaveLength(500)
  })

  test('removed pods leave nothing behind', async () => {
    const client = await connectToEmpty()
    const pods = createRedisPods(client)
    await pods.report('pod-a', metrics(1))
    await pods.renew('pod-a', lease, longMs)
    await pods.pin('pod-a', room('room-1'))
    await pods.unpin('pod-a', 'room-1')
    await pods.remove('pod-a')
    await pods.list()
    await waitUntil(async () => (await client.keys('*')).length === 0 || (await client.keys('*')).join())
  })

  test('[R9] without Redis it reports UNAVAILABLE, and works again when Redis is back', async () => {
    const pods = createRedisPods(await redis.connect())
    await redis.program().kill()
    const refused = { code: 'UNAVAILABLE' }
    await expect(pods.list()).rejects.toMatchObject(refused)
    await expect(pods.report('pod-1', metrics(1))).rejects.toMatchObject(refused)
    await expect(pods.renew('pod-1', lease, longMs)).rejects.toMatchObject(refused)
    await expect(pods.pin('pod-1', room('room-1'))).rejects.toMatchObject(refused)
    await expect(pods.find('room-1')).rejects.toMatchObject(refused)
    await redis.program().restart()
    const isBack = async (): Promise<true> => {
      await pods.report('pod-1', metrics(1))
      return true
    }
    await waitUntil(isBack)
    expect(await pods.list()).toEqual([{ podId: 'pod-1', lease: null, metrics: metrics(1), ...empty }])
  })
})
