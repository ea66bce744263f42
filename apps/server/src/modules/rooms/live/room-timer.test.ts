import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { RoomState } from '../model/room-state.ts'
import { createRoomTimer } from './room-timer.ts'

beforeEach(() => void vi.useFakeTimers({ now: 0 }))
afterEach(() => {
  // Spies first: one that is restored later would bring the fake timers back, for every test of this process.
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** As much of a room as a deadline needs. */
const dueAt = (deadlineAt: number | null) =>
  ({ status: { kind: 'running' }, seats: [], flow: { deadlineAt } }) as unknown as RoomState

function startTimer() {
  let aheadMs = 0
  const rung: number[] = []
  const clock = { now: () => Date.now() + aheadMs }
  const tick = async () => void rung.push(clock.now())
  const timer = createRoomTimer({ clock, tick, onFailed: () => undefined })
  const jump = (ms: number): void => {
    aheadMs += ms
  }
  return { timer, rung, jump }
}

test('[RM12] rings once at a deadline, however often actions leave it as it is', async () => {
  const { timer, rung } = startTimer()
  const spy = vi.spyOn(globalThis, 'setTimeout')
  for (let action = 0; action < 100; action++) {
    timer.arm(dueAt(5_000))
    await vi.advanceTimersByTimeAsync(10)
  }
  expect(spy).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(rung).toEqual([5_000])
})

test('[RM12] follows a deadline that moves or goes, and the same one again', async () => {
  const { timer, rung } = startTimer()
  timer.arm(dueAt(5_000))
  timer.arm(dueAt(2_000))
  timer.arm(dueAt(null))
  timer.arm(dueAt(5_000))
  await vi.advanceTimersByTimeAsync(5_000)
  timer.arm(dueAt(5_000))
  await vi.advanceTimersByTimeAsync(1_000)
  expect(rung).toEqual([5_000, 5_000])
})

test('[RM12] notices within a minute that the clock was corrected', async () => {
  const { timer, rung, jump } = startTimer()
  timer.arm(dueAt(3_600_000))
  jump(3_600_000)
  await vi.advanceTimersByTimeAsync(61_000)
  expect(rung).toHaveLength(1)
})
