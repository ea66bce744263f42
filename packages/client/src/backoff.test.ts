import fc from 'fast-check'
import { expect, test } from 'vitest'
import { backoffMs, parseRetryAfter, retryDelayMs } from './backoff.ts'

const seed = Number(process.env.TEST_SEED ?? 20_260_101)

test('steps double from 0.5 s to 30 s, and the delay is anywhere below', () => {
  const longest = Array.from({ length: 9 }, (_, index) => backoffMs(index + 1, () => 1))
  expect(longest).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000])
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10_000 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (failures, share) => {
        const delayMs = backoffMs(failures, () => share)
        expect(delayMs).toBeGreaterThanOrEqual(0)
        expect(delayMs).toBeLessThanOrEqual(30_000)
      },
    ),
    { seed },
  )
})

test('Retry-After in seconds or as a date is the least that is waited', () => {
  const now = Date.parse('2026-01-01T00:00:00Z')
  expect(parseRetryAfter('12', now)).toBe(12_000)
  expect(parseRetryAfter('Thu, 01 Jan 2026 00:00:30 GMT', now)).toBe(30_000)
  expect(parseRetryAfter('soon', now)).toBeUndefined()
  expect(parseRetryAfter(null, now)).toBeUndefined()
  expect(parseRetryAfter('-5', now)).toBe(0)
  expect(parseRetryAfter('999999', now)).toBe(600_000)
  expect(retryDelayMs(9, 12_000, () => 0)).toBe(12_000)
  expect(retryDelayMs(1, 12_000, () => 1)).toBe(12_500)
})
