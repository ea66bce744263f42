import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addSample, rateOf, remainingMs, type Sample } from './transfer-rate.ts'

const sampled = (...samples: [atMs: number, sentBytes: number][]) =>
  samples.reduce<Sample[]>(
    (known, [atMs, sentBytes]) => addSample(known, { atMs, sentBytes }),
    [{ atMs: 0, sentBytes: 0 }],
  )

test('the speed is that of the last seconds, not of the whole upload', () => {
  expect(rateOf(sampled([1_000, 1_000], [2_000, 2_000]), 2_000)).toBe(1_000)
  const faster = sampled([10_000, 10_000], [14_000, 50_000], [18_000, 90_000])
  expect(rateOf(faster, 18_000)).toBe(10_000)
})

test('the first moments say nothing about the speed', () => {
  expect(rateOf([], 5_000)).toBeUndefined()
  expect(rateOf(sampled([400, 9_000]), 500)).toBeUndefined()
})

test('the speed falls to nothing when nothing is sent any more', () => {
  const samples = sampled([1_000, 8_000], [2_000, 16_000])
  expect(rateOf(samples, 4_000)).toBe(4_000)
  expect(rateOf(samples, 20_000)).toBe(0)
})

test('a part that is sent again does not make the speed negative', () => {
  const samples = sampled([1_000, 50_000], [2_000, 10_000], [4_000, 30_000])
  expect(rateOf(samples, 4_000)).toBe(10_000)
})

test('the remaining time is unknown while nothing moves', () => {
  expect(remainingMs(10_000, 2_000)).toBe(5_000)
  expect(remainingMs(10_000, 0)).toBeUndefined()
  expect(remainingMs(10_000, undefined)).toBeUndefined()
})

test('whatever is reported, few samples are kept and the speed is never negative', () => {
  const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: 3_000 }), fc.nat(1_000_000)), { maxLength: 60 })
  fc.assert(
    fc.property(steps, (reports) => {
      let samples: Sample[] = []
      let atMs = 0
      for (const [passedMs, sentBytes] of reports) {
        atMs += passedMs
        samples = addSample(samples, { atMs, sentBytes })
      }
      expect(rateOf(samples, atMs) ?? 0).toBeGreaterThanOrEqual(0)
      // Everything in the window, and one sample from before it.
      expect(samples.filter((sample) => sample.atMs <= atMs - 8_000).length).toBeLessThanOrEqual(1)
    }),
  )
})
