import { expect, test } from 'vitest'
import { createRooms, type RoomFound } from './rooms.ts'

/** Redis whose answers are given by hand, and a clock that is set by hand. */
function staged() {
  const asked: { key: string; answer: (podId: string | null) => void; fail: () => void }[] = []
  const world = { now: 0, isUp: true }
  const counted: string[] = []
  const rooms = createRooms({
    read: (key) =>
      new Promise((resolve, reject) => {
        const assignment = (podId: string) => JSON.stringify({ podId, participantCount: 1, assignedAt: 1 })
        asked.push({
          key,
          answer: (podId) => resolve(podId === null ? null : assignment(podId)),
          fail: () => reject(new Error('away')),
        })
      }),
    isRedisUp: () => world.isUp,
    now: () => world.now,
    count: (lookup) => counted.push(lookup),
    freshMs: 800,
  })
  return { rooms, asked, world, counted }
}

const pod = (podId: string): RoomFound => ({ kind: 'pod', podId })

test('those who ask at once share one question; for less than a second its answer stands', async () => {
  const { rooms, asked, world, counted } = staged()
  const answers = [rooms.find('room_a'), rooms.find('room_a'), rooms.find('room_b')]
  expect(asked.map(({ key }) => key)).toEqual(['room:room_a:pod', 'room:room_b:pod'])
  for (const { answer } of asked) answer('pod-1')
  expect(await Promise.all(answers)).toEqual([pod('pod-1'), pod('pod-1'), pod('pod-1')])
  world.now = 799
  expect(rooms.find('room_a')).toEqual(pod('pod-1'))
  world.now = 801
  const later = rooms.find('room_a')
  asked[2]?.answer('pod-2')
  expect(await later).toEqual(pod('pod-2'))
  expect(counted).toEqual(['cache', 'redis', 'redis', 'cache', 'redis'])
})

test('an answer from before a move is given to who asked before it, and not kept', async () => {
  const { rooms, asked } = staged()
  const before = rooms.find('room_a')
  rooms.forget('room_a')
  const after = rooms.find('room_a')
  asked[1]?.answer('new')
  expect(await after).toEqual(pod('new'))
  asked[0]?.answer('old')
  expect(await before).toEqual(pod('old'))
  expect(rooms.find('room_a')).toEqual(pod('new'))
})

test('that a room has no pod is not remembered', async () => {
  const { rooms, asked } = staged()
  for (const [turn, podId] of [null, null, 'pod-1'].entries()) {
    const found = rooms.find('room_a')
    asked[turn]?.answer(podId)
    expect(await found).toEqual(podId === null ? { kind: 'unassigned' } : pod(podId))
  }
})

test('without Redis the last answer stands, however old; who was never asked for is unknown', async () => {
  const { rooms, asked, world, counted } = staged()
  const found = rooms.find('room_a')
  asked[0]?.answer('pod-1')
  await found
  world.now = 60_000
  const failing = rooms.find('room_a')
  asked[1]?.fail()
  expect(await failing).toEqual(pod('pod-1'))
  world.isUp = false
  expect(await rooms.find('room_a')).toEqual(pod('pod-1'))
  expect(await rooms.find('room_b')).toEqual({ kind: 'unknown' })
  expect(asked).toHaveLength(2)
  expect(counted).toEqual(['redis', 'error', 'error', 'error'])
})
