import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Emitted } from '../model/room-audience.ts'
import type { RoomState } from '../model/room-state.ts'
import { group, playRoom, state } from '../test/played-room.ts'
import { createCrowdFigures, figuresEveryMs } from './crowd-figures.ts'

beforeEach(() => void vi.useFakeTimers({ now: 0 }))
afterEach(() => void vi.useRealTimers())

const definition = group([state('wait')], { matching: { groupSize: 60 } })

function setUp() {
  const room = playRoom(definition)
  const sent: { ready: number; seq: number }[] = []
  const send = (_: string, emitted: readonly Emitted[]): void => {
    for (const { event } of emitted)
      if (event.type === 'crowd') sent.push({ ready: event.crowd.ready, seq: event.seq })
  }
  const figures = createCrowdFigures({ now: Date.now }, send)
  const follow = (now: RoomState = room.room()): void => figures.follow(now, room.blueprint.definition)
  return { room, sent, figures, follow }
}

test('[RM262] the first change is told at once, and what follows together, a second later', () => {
  const { room, sent, follow } = setUp()
  follow()
  for (let index = 1; index <= 40; index++) {
    room.ready(`p${index}`)
    follow()
  }
  expect(sent.map(({ ready }) => ready)).toEqual([0])
  vi.advanceTimersByTime(figuresEveryMs)
  expect(sent).toEqual([
    { ready: 0, seq: expect.any(Number) },
    { ready: 40, seq: room.room().seq },
  ])
})

test('[RM262] figures that have not changed are not told again, and the next change is told at once', () => {
  const { room, sent, follow } = setUp()
  follow()
  vi.advanceTimersByTime(10 * figuresEveryMs)
  expect(sent).toHaveLength(1)
  expect(vi.getTimerCount()).toBe(0)
  room.ready('p1')
  follow()
  expect(sent.map(({ ready }) => ready)).toEqual([0, 1])
})

test('[RM262] nothing is told of small rooms, nor of rooms that have ended or are lost here', () => {
  const { room, sent, figures, follow } = setUp()
  const small = playRoom({ ...definition, matching: { groupSize: 4 } })
  figures.follow(small.room(), small.blueprint.definition)
  expect(sent).toEqual([])
  follow()
  room.ready('p1')
  follow()
  figures.forget(room.room().roomId)
  follow({ ...room.room(), status: { kind: 'ended', reason: 'finished' } })
  vi.advanceTimersByTime(10 * figuresEveryMs)
  expect(sent.map(({ ready }) => ready)).toEqual([0, 1])
  expect(vi.getTimerCount()).toBe(0)
})
