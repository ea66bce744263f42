import type { ClockReport } from '@atrium/contract'
import type { Clock } from './clock.ts'
import { type ClockSample, estimateAt, sampleOf, withSample } from './sync/clock.ts'

/** More than a clock is ever adjusted at once in normal operation: it was set, or the computer has slept. */
const setMs = 250
/** Times are sent in whole milliseconds. */
const roundingMs = 1

export interface OwnClock {
  /** By a clock that nobody can set, in milliseconds since some moment. */
  steadyNow(): number
  /** The server said what time it is, after it was asked and before that was heard; both by `steadyNow`. */
  heard(askedAt: number, serverTime: number, heardAt: number): void
  /** To be sent with times of this device's clock; undefined where nothing is known of it. */
  report(): { clock?: ClockReport }
}

/**
 * How far the device's clock is from the server's. Measured against a monotonic clock, so that it is right at once when
 * somebody sets the device's.
 */
export function createOwnClock(clock: Pick<Clock, 'now'>, steadyNow = () => performance.now()): OwnClock {
  let samples: readonly ClockSample[] = []
  let aheadMs = 0

  return {
    steadyNow,
    heard(askedAt, serverTime, heardAt) {
      const sample = sampleOf({ t0: askedAt, t1: serverTime, t2: serverTime }, heardAt)
      if (!sample) return
      samples = withSample(samples, sample).samples
      aheadMs = clock.now() - steadyNow()
    },
    report() {
      const now = steadyNow()
      const wallAheadMs = clock.now() - now
      const estimate = estimateAt(samples, now)
      // Whether the clock was set or the computer slept, in which the monotonic one may stop, cannot be told.
      if (!estimate || Math.abs(wallAheadMs - aheadMs) > setMs) return {}
      const offsetMs = Math.round(estimate.offsetMs - wallAheadMs)
      return { clock: { offsetMs, errorMs: Math.ceil(estimate.uncertaintyMs) + roundingMs } }
    },
  }
}
