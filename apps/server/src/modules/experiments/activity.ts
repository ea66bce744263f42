import type { ExperimentActivity } from '@atrium/contract'
import type { ActivityCounts, ActivityWindow, BucketCount } from './experiments.store.ts'

const maxBuckets = 120
const seconds = 1_000
const minutes = 60 * seconds
const hours = 60 * minutes
/** Lengths that are easy to read on an axis; the longest is for a month. */
const bucketLengths = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * seconds),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * minutes),
  ...[1, 2, 3, 6].map((count) => count * hours),
]

/**
 * The newest bucket contains `now`. Buckets start at multiples of their length, so that a refreshed plot moves bucket
 * by bucket instead of being cut differently each time.
 */
export function activityWindow(lastMinutes: number, now: number): ActivityWindow {
  const spanMs = lastMinutes * minutes
  const fits = (length: number) => length * maxBuckets >= spanMs
  const bucketMs = bucketLengths.find(fits) ?? Math.ceil(spanMs / maxBuckets)
  const to = (Math.floor(now / bucketMs) + 1) * bucketMs
  return { from: to - Math.ceil(spanMs / bucketMs) * bucketMs, to, bucketMs }
}

/** The series including empty buckets, which the database leaves out. */
export function fillBuckets(window: ActivityWindow, counts: ActivityCounts): ExperimentActivity {
  const { from, to, bucketMs } = window
  const joined = byBucket(counts.joined)
  const completed = byBucket(counts.completed)
  const events = byBucket(counts.events)
  const buckets = Array.from({ length: (to - from) / bucketMs }, (_, bucket) => ({
    at: from + bucket * bucketMs,
    joined: joined.get(bucket) ?? 0,
    completed: completed.get(bucket) ?? 0,
    events: events.get(bucket) ?? 0,
  }))
  return { from, to, bucketMs, buckets }
}

/** A bucket may occur several times: partial counts are added up here. */
function byBucket(counts: readonly BucketCount[]): Map<number, number> {
  const totals = new Map<number, number>()
  for (const { bucket, count } of counts) totals.set(bucket, (totals.get(bucket) ?? 0) + count)
  return totals
}
