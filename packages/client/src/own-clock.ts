import { type ClockReport, maxClockOffsetMs } from '@atrium/contract'
import type { Clock } from './clock.ts'

/** More than a clock is ever adjusted at once in normal operation: it was set, or the computer has slept. */
const setMs = 250
/** How far apart two clocks may drift, as a share of the time passed. */
const maxDrift = 100e-6
/** Times are sent in whole milliseconds. */
const roundingMs = 1

export interface OwnClock {
  /** By a clock that nobody can set, in milliseconds since some moment. */
  steadyNow(): number
  /** The server said what time it is, after it was asked and before that was heard; both by `steadyNow`. */
  heard(askedAt: number, serverTime: number, heardAt: number): void
  /** The server answered without saying what time it is then. */
  answered(askedAt: number, heardAt: number): void
  /** To be sent with times of this device's clock; undefined where nothing is known of it. */
  report(): { clock?: ClockReport }
  /** R93: the shortest time so far from asking the server to its answer. */
  networkDelayMs(): number | undefined
}

/**
 * How far the device's clock is from the server's: by the quickest answer, which is off by at most half of the round trip.
 * Simpler than the clock of videos (`sync/clock.ts`), which participants without videos do not load.
 */
export function createOwnClock(clock: Pick<Clock, 'now'>, steadyNow = () => performance.now()): OwnClock {
  let best: { offsetMs: number; errorMs: number; at: number; wallAheadMs: number } | undefined
  let shortestMs = Number.POSITIVE_INFINITY

  function current(): ClockReport | undefined {
    const now = steadyNow()
    // Whether the clock was set or the computer slept, in which the monotonic one may stop, cannot be told.
    if (!best || Math.abs(clock.now() - now - best.wallAheadMs) > setMs) return undefined
    const errorMs = best.errorMs + maxDrift * (now - best.at)
    return { offsetMs: Math.round(best.offsetMs), errorMs: Math.ceil(errorMs) + roundingMs }
  }

  function answered(askedAt: number, heardAt: number): void {
    if (heardAt >= askedAt) shortestMs = Math.min(shortestMs, heardAt - askedAt)
  }

  return {
    steadyNow,
    answered,
    heard(askedAt, serverTime, heardAt) {
      const wallAheadMs = clock.now() - steadyNow()
      const errorMs = (heardAt - askedAt) / 2
      answered(askedAt, heardAt)
      if (
        !Number.isFinite(serverTime) ||
        !(errorMs >= 0) ||
        errorMs >= (current()?.errorMs ?? Number.POSITIVE_INFINITY)
      )
        return
      best = { offsetMs: serverTime - (askedAt + errorMs) - wallAheadMs, errorMs, at: heardAt, wallAheadMs }
    },
    report() {
      const measured = current()
      // A clock at the beginning of 1970 would have everything refused that is sent with the report.
      const isTaken = measured && Math.abs(measured.offsetMs) <= maxClockOffsetMs
      return isTaken ? { clock: measured } : {}
    },
    networkDelayMs: () => (Number.isFinite(shortestMs) ? Math.round(shortestMs) : undefined),
  }
}
