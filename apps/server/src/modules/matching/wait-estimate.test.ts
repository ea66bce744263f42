import { expect, test } from 'vitest'
import { settingsOf } from './proposal/test/crowd.ts'
import { estimateWaitMs, neededFor } from './wait-estimate.ts'

test('[M18] needed counts up to the end of the group at a position', () => {
  const four = settingsOf({ min: 4, max: 4 })
  expect([1, 2, 3].map((position) => neededFor(position, 3, four))).toEqual([1, 1, 1])
  expect(neededFor(5, 6, four)).toBe(2)
  expect(neededFor(1, 9, four)).toBe(0)
})

test('[M18] the smallest group without a deadline, the largest before it, the smallest after it', () => {
  const range = { min: 2, max: 5 }
  expect(neededFor(1, 1, settingsOf(range))).toBe(1)
  expect(neededFor(1, 1, settingsOf({ ...range, deadlineMs: 100 }))).toBe(4)
  const withDeadline = settingsOf({ ...range, deadlineMs: 100 })
  expect(neededFor(1, 1, withDeadline, true)).toBe(1)
  // The fourth is in the group of the first three; the sixth needs a seventh.
  expect([4, 6].map((position) => neededFor(position, position, withDeadline, true))).toEqual([0, 1])
})

test('[M19] the estimate is needed at the recent pace, including the time since the last arrival', () => {
  expect(estimateWaitMs([0, 1_000, 2_000], 2, 2_000)).toBe(2_000)
  expect(estimateWaitMs([0, 1_000, 2_000], 2, 8_000)).toBe(8_000)
})

test('[M19] there is no estimate without enough arrivals', () => {
  expect(estimateWaitMs([0, 1_000], 2, 2_000)).toBeNull()
  expect(estimateWaitMs([0, 1_000, 2_000], null, 2_000)).toBeNull()
  expect(estimateWaitMs([5, 5, 5], 2, 5)).toBeNull()
  expect(estimateWaitMs([], 0, 5)).toBe(0)
})
