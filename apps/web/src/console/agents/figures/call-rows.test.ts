import type { CallFigures } from '@atrium/contract'
import { expect, test } from 'vitest'
import { callsInWords, rowsOf } from './call-rows.ts'

const none = { calls: 0, failures: 0, latencyMs: null, promptTokens: 0, completionTokens: 0, money: 0 }
const some = {
  calls: 3,
  failures: 1,
  latencyMs: { p50: 420, p95: 1_300 },
  promptTokens: 900,
  completionTokens: 100,
  money: 0.5,
}
const figuresWith = (facts: Partial<CallFigures>): CallFigures => ({
  ...none,
  turns: 0,
  outcomes: { applied: 0, retried: 0, fallback: 0, timeout: 0, refused: 0, budget: 0 },
  lastError: null,
  buckets: [],
  ...facts,
})
const window = { from: 0, to: 3_600_000, isPartial: false }

test('a time in which nothing was answered is a gap in the line of latencies, not a zero', () => {
  const figures = figuresWith({
    buckets: [
      { at: 0, ...none },
      { at: 60_000, ...some },
    ],
  })
  const [quiet, busy] = rowsOf({ window, figures })
  expect(quiet).not.toHaveProperty('p50')
  expect(busy).toMatchObject({ calls: 3, succeeded: 2, failures: 1, p50: 420, p95: 1_300, read: 900 })
})

test('the charts in a sentence', () => {
  expect(callsInWords({ window, figures: figuresWith({}) }, 60)).toBe('No model was asked in the last hour.')
  expect(callsInWords({ window, figures: figuresWith(some) }, 1_440)).toBe(
    'In the last 24 hours: 3 calls, 1 of them failed; half took 420 ms at most, 95% 1.3 s; 1,000 tokens; spend 0.5.',
  )
})
