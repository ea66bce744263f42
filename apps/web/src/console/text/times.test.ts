import { expect, test } from 'vitest'
import { formatAgo, formatDuration } from './times.ts'

const now = Date.UTC(2026, 7, 3, 12)

test.each([
  [-2_000, 'just now'],
  [0, 'just now'],
  [4_999, 'just now'],
  [12_000, '12 seconds ago'],
  [60_000, '1 minute ago'],
  [3 * 3_600_000 + 59 * 60_000, '3 hours ago'],
  [24 * 3_600_000, 'yesterday'],
  [5 * 24 * 3_600_000, '5 days ago'],
])('%i ms before now is “%s”', (passed, text) => {
  expect(formatAgo(now - passed, now)).toBe(text)
})

test.each([
  [0, '0 s'],
  [4_230, '4.2 s'],
  [59_900, '1 min'],
  [150_000, '2 min 30 s'],
  [3_599_900, '1 h'],
  [3_900_000, '1 h 05 min'],
  [90_000_000, '25 h'],
])('%i ms read as “%s”', (ms, text) => {
  expect(formatDuration(ms)).toBe(text)
})
