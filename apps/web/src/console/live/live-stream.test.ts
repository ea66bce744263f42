import type { LiveExperiment, LivePush, LiveRoom, LiveWord } from '@atrium/contract'
import { expect, test } from 'vitest'
import { applied, readPushes } from './live-stream.ts'

const room = (roomId: string, position: number): LiveRoom => ({
  roomId,
  position,
  status: 'running',
  resting: false,
  state: null,
  enteredAt: null,
  deadlineAt: null,
  seats: [],
})
const word = (roomId: string, number: number): LiveWord => ({
  roomId,
  number,
  at: number,
  kind: 'message',
  alias: 'P1',
  componentId: 'talk',
  text: 'Hello – Grüße',
})
const live = (more: Partial<LiveExperiment> = {}): LiveExperiment => ({
  at: 1,
  joined: 0,
  consented: 0,
  placed: 0,
  active: 0,
  completed: 0,
  waiting: { people: 0, first: [] },
  usual: [],
  rooms: [],
  hasMoreRooms: false,
  words: [],
  ...more,
})
const change = (more: Partial<LivePush> = {}): LivePush => ({ ...live(), isWhole: false, gone: [], ...more })

test('messages are read wherever the network cuts them, and comments are only a sign of life', async () => {
  const text = `data: ${JSON.stringify(change({ words: [word('a', 1)] }))}\n\n: nothing new\n\ndata: ${JSON.stringify(change({ joined: 2 }))}\n\n`
  const bytes = new TextEncoder().encode(text)
  for (const size of [1, 7, bytes.length]) {
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
      bytes.slice(at * size, (at + 1) * size),
    )
    const read: LivePush[] = []
    let signs = 0
    await readPushes(
      new ReadableStream({
        start(controller) {
          for (const piece of pieces) controller.enqueue(piece)
          controller.close()
        },
      }),
      (push) => read.push(push),
      () => signs++,
    )
    expect(read.map(({ joined, words }) => [joined, words.length])).toEqual([
      [0, 1],
      [2, 0],
    ])
    expect(read[0]?.words[0]?.text).toBe('Hello – Grüße')
    expect(signs).toBe(pieces.length)
  }
})

test('a change replaces rooms in place, adds new ones first and takes ended ones away', () => {
  const before = live({ rooms: [room('c', 2), room('b', 1), room('a', 0)], words: [word('a', 1)] })
  const after = applied(
    before,
    change({
      at: 2,
      rooms: [room('d', 3), { ...room('b', 1), status: 'paused' }],
      gone: ['c'],
      words: [word('b', 4), word('a', 1)],
    }),
  )
  expect(after.rooms.map(({ roomId, status }) => [roomId, status])).toEqual([
    ['d', 'running'],
    ['b', 'paused'],
    ['a', 'running'],
  ])
  // What the page knew already is not shown twice.
  expect(after.words.map(({ roomId, number }) => [roomId, number])).toEqual([
    ['b', 4],
    ['a', 1],
  ])
  expect(after).not.toHaveProperty('isWhole')
})

test('a whole message replaces everything: somebody may have been deleted', () => {
  const before = live({ rooms: [room('a', 0)], words: [word('a', 1)] })
  expect(applied(before, { ...change(), isWhole: true })).toEqual(live())
})
