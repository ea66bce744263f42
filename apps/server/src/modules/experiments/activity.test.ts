import { activityMinutes } from '@atrium/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { activityWindow, fillBuckets } from './activity.ts'
import type { BucketCount } from './experiments.store.ts'

const aMinute = 60_000
const noon = Date.UTC(2026, 2, 2, 12)
const anyMoment = fc.integer({ min: 0, max: Date.UTC(2100, 0) })
const anyMinutes = fc.integer({ min: activityMinutes.min, max: activityMinutes.max })

describe('[X5] the window of activity', () => {
  test.each([
    [1, 1_000, 60],
    [60, 30_000, 120],
    [61, aMinute, 61],
    [24 * 60, 15 * aMinute, 96],
    [7 * 24 * 60, 120 * aMinute, 84],
  ])('%i minutes are divided into buckets of %i ms', (lastMinutes, bucketMs, buckets) => {
    const window = activityWindow(lastMinutes, noon + 1)
    expect(window.bucketMs).toBe(bucketMs)
    expect((window.to - window.from) / bucketMs).toBe(buckets)
  })

  test('moves by whole buckets', () => {
    const before = activityWindow(60, noon + 29_999)
    expect(before).toEqual(activityWindow(60, noon))
    expect(activityWindow(60, noon + 30_000)).toEqual({
      ...before,
      from: before.from + 30_000,
      to: before.to + 30_000,
    })
  })

  test('always has at most 120 buckets at round times, the last of which is the current one', () => {
    fc.assert(
      fc.property(anyMinutes, anyMoment, (lastMinutes, now) => {
        const { from, to, bucketMs } = activityWindow(lastMinutes, now)
        const buckets = (to - from) / bucketMs
        expect(Number.isInteger(buckets) && buckets >= 1 && buckets <= 120).toBe(true)
        expect(Math.abs(from % bucketMs)).toBe(0)
        expect(now >= to - bucketMs && now < to).toBe(true)
        expect(to - from >= lastMinutes * aMinute).toBe(true)
        expect(to - from < lastMinutes * aMinute + bucketMs).toBe(true)
      }),
    )
  })
})

describe('[X5] the series of activity', () => {
  test('has zeros where nothing happened', () => {
    const window = { from: 1_000, to: 4_000, bucketMs: 1_000 }
    const counts = { joined: [{ bucket: 2, count: 3 }], completed: [], events: [{ bucket: 0, count: 7 }] }
    expect(fillBuckets(window, counts)).toEqual({
      ...window,
      buckets: [
        { at: 1_000, joined: 0, completed: 0, events: 7 },
        { at: 2_000, joined: 0, completed: 0, events: 0 },
        { at: 3_000, joined: 3, completed: 0, events: 0 },
      ],
    })
  })

  test('counts everything once, in the right bucket, however the counts were split', () => {
    const moments = fc.array(fc.nat({ max: 999_999 }), { maxLength: 60 })
    const things = fc.record({ joined: moments, completed: moments, events: moments })
    fc.assert(
      fc.property(anyMinutes, anyMoment, things, (lastMinutes, now, happened) => {
        const window = activityWindow(lastMinutes, now)
        const { from, to, bucketMs } = window
        const within = (share: number) => from + Math.floor(((to - from) * share) / 1_000_000)
        const counted = (shares: number[]): BucketCount[] =>
          shares.map((share) => ({ bucket: Math.floor((within(share) - from) / bucketMs), count: 1 }))
        const { buckets } = fillBuckets(window, {
          joined: counted(happened.joined),
          completed: counted(happened.completed),
          events: counted(happened.events),
        })
        expect(buckets.map(({ at }) => at)).toEqual(buckets.map((_, place) => from + place * bucketMs))
        expect(buckets).toHaveLength((to - from) / bucketMs)
        for (const kind of ['joined', 'completed', 'events'] as const)
          for (const bucket of buckets) {
            const here = happened[kind]
              .map(within)
              .filter((at) => at >= bucket.at && at < bucket.at + bucketMs)
            expect(bucket[kind]).toBe(here.length)
          }
      }),
    )
  })
})
