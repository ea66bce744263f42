import { waitUntil } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { createRooms, type RoomLocation } from './rooms.ts'

/** A Redis whose replies and a clock whose time are set by the test. */
function setUp() {
  const reads: { key: string; reply: (podId: string | null) => void; fail: () => void }[] = []
  const world = { now: 0, isUp: true }
  const counted: string[] = []
  const rooms = createRooms({
    get: (key) =>
      new Promise((resolve, reject) => {
        const assignment = (podId: string) => JSON.stringify({ podId, participantCount: 1, assignedAt: 1 })
        reads.push({
          key,
          reply: (podId) => resolve(podId === null ? null : assignment(podId)),
          fail: () => reject(new Error('away')),
        })
      }),
    isRedisUp: () => world.isUp,
    now: () => world.now,
    count: (lookup) => counted.push(lookup),
    cacheMs: 800,
    wait: () => Promise.resolve(),
  })
  return { rooms, reads, world, counted }
}

const pod = (podId: string): RoomLocation => ({ kind: 'pod', podId })

test('concurrent lookups share one read, which is cached for less than a second', async () => {
  const { rooms, reads, world, counted } = setUp()
  const locations = [rooms.find('room_a'), rooms.find('room_a'), rooms.find('room_b')]
  expect(reads.map(({ key }) => key)).toEqual(['room:room_a:pod', 'room:room_b:pod'])
  for (const { reply } of reads) reply('pod-1')
  expect(await Promise.all(locations)).toEqual([pod('pod-1'), pod('pod-1'), pod('pod-1')])
  world.now = 799
  expect(rooms.find('room_a')).toEqual(pod('pod-1'))
  world.now = 801
  const later = rooms.find('room_a')
  reads[2]?.reply('pod-2')
  expect(await later).toEqual(pod('pod-2'))
  expect(counted).toEqual(['cache', 'redis', 'redis', 'cache', 'redis'])
})

test('a read from before a move is returned to its caller but not cached', async () => {
  const { rooms, reads } = setUp()
  const before = rooms.find('room_a')
  rooms.forget('room_a')
  const after = rooms.find('room_a')
  reads[1]?.reply('new')
  expect(await after).toEqual(pod('new'))
  reads[0]?.reply('old')
  expect(await before).toEqual(pod('old'))
  expect(rooms.find('room_a')).toEqual(pod('new'))
})

test('that a room has no pod is not cached', async () => {
  const { rooms, reads } = setUp()
  for (const [turn, podId] of [null, null, 'pod-1'].entries()) {
    const found = rooms.find('room_a')
    reads[turn]?.reply(podId)
    expect(await found).toEqual(podId === null ? { kind: 'unassigned' } : pod(podId))
  }
})

test('without Redis the last result stays valid however old it is; a room never read is unknown', async () => {
  const { rooms, reads, world, counted } = setUp()
  const found = rooms.find('room_a')
  reads[0]?.reply('pod-1')
  await found
  world.now = 60_000
  const failing = rooms.find('room_a')
  reads[1]?.fail()
  expect(await failing).toEqual(pod('pod-1'))
  world.isUp = false
  expect(await rooms.find('room_a')).toEqual(pod('pod-1'))
  expect(reads).toHaveLength(2)
  const unknown = rooms.find('room_b')
  for (let attempt = 2; attempt < 6; attempt++) {
    await waitUntil(() => reads[attempt] !== undefined || 'it has not been read again')
    reads[attempt]?.fail()
  }
  expect(await unknown).toEqual({ kind: 'unknown' })
  expect(reads).toHaveLength(6)
  expect(counted).toEqual(['redis', 'error', 'error', 'error'])
})

test('a room of which nothing is known is read again when Redis seems to be away for a moment', async () => {
  const { rooms, reads, world } = setUp()
  world.isUp = false
  const found = rooms.find('room_a')
  reads[0]?.fail()
  await waitUntil(() => reads[1] !== undefined || 'it has not been read again')
  reads[1]?.reply('pod-1')
  expect(await found).toEqual(pod('pod-1'))
})
