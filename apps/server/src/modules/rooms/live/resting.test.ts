import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { LiveRoom } from './live-room.ts'
import { createIdleWatch } from './resting.ts'

beforeEach(() => void vi.useFakeTimers({ now: 0 }))
afterEach(() => void vi.useRealTimers())

test('[RM80] a room rests only once somebody who has knocked had ten seconds to come in', async () => {
  const idle = { mayRest: () => true } as unknown as LiveRoom
  const rooms = new Map([
    ['expected', idle],
    ['empty', idle],
  ])
  const rested: [string, number][] = []
  const watch = createIdleWatch({
    clock: { now: () => Date.now() },
    rooms,
    rest: async (roomId) => {
      rooms.delete(roomId)
      rested.push([roomId, Date.now()])
    },
    onBackgroundError: () => undefined,
  })
  watch.expect('expected')
  await vi.advanceTimersByTimeAsync(20_000)
  watch.stop()
  expect(rested).toEqual([
    ['empty', 500],
    ['expected', 10_000],
  ])
})
