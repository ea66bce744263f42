import { maxCallsCounted } from '@atrium/contract'
import { expect, test } from 'vitest'
import type { CallCount, CallSums } from '../turns.store.ts'
import { figuresOf, isPartial } from './call-figures.ts'

const count = (more: Partial<CallCount>): CallCount => ({
  ...{ agentId: 'ada', bucket: 0, outcome: 'applied', calls: 1 },
  ...{ promptTokens: 10, completionTokens: 1, money: 0.5 },
  ...more,
})
const window = { from: 1_000, to: 4_000, bucketMs: 1_000 }

test('[R45,AT3] figures add up outcomes and buckets; calls that were asked again are no turns', () => {
  const sums: CallSums = {
    counts: [
      count({ calls: 5 }),
      count({ outcome: 'retried', calls: 2, promptTokens: 7 }),
      count({ bucket: 2, outcome: 'timeout', completionTokens: 0 }),
      count({ bucket: 2, outcome: 'refused' }),
      count({ agentId: 'bob', calls: 100 }),
    ],
    latencies: [
      { agentId: 'ada', bucket: null, p50: 20, p95: 30 },
      { agentId: 'ada', bucket: 2, p50: 25, p95: 30 },
      { agentId: 'bob', bucket: 1, p50: 1, p95: 1 },
    ],
    errors: [{ agentId: 'ada', at: 3_500, outcome: 'timeout', message: 'No reply.' }],
  }
  const empty = { calls: 0, failures: 0, promptTokens: 0, completionTokens: 0, money: 0, latencyMs: null }
  expect(figuresOf(sums, 'ada', window)).toEqual({
    ...{ calls: 9, turns: 7, failures: 1, promptTokens: 37, completionTokens: 3, money: 2 },
    latencyMs: { p50: 20, p95: 30 },
    outcomes: { applied: 5, retried: 2, fallback: 0, timeout: 1, refused: 1, budget: 0 },
    lastError: { at: 3_500, outcome: 'timeout', message: 'No reply.' },
    buckets: [
      { ...empty, at: 1_000, calls: 7, promptTokens: 17, completionTokens: 2, money: 1 },
      { ...empty, at: 2_000 },
      {
        ...{ at: 3_000, calls: 2, failures: 1, promptTokens: 20, completionTokens: 1, money: 1 },
        latencyMs: { p50: 25, p95: 30 },
      },
    ],
  })
  expect(figuresOf(sums, 'nobody', window)).toMatchObject({ calls: 0, latencyMs: null, lastError: null })
  expect(isPartial(sums)).toBe(false)
  expect(isPartial({ ...sums, counts: [count({ calls: maxCallsCounted })] })).toBe(true)
})
