import type { Clock, ExactClock } from './clock.ts'

/** Two clocks may differ this much without anything having happened to either. */
const toleranceMs = 1_000
/**
 * Sources count whole milliseconds, so a smaller difference is none. Following it would make our time waver by half a
 * millisecond, which is more than clients are off that measure it.
 */
const resolutionMs = 1
/** While it approaches the source, our time runs at most this much faster or slower than real time. */
const slew = 0.01
/**
 * A clock set by mistake is soon corrected; one that stays ahead this long, as after a suspended machine, is trusted.
 */
const doubtMs = 10 * 60_000

/** Two clocks at one moment: one that can be set, one that only counts. */
export interface Reading {
  source: number
  monotonic: number
}

export interface SteadyTime {
  /** Our time, in epoch milliseconds, at the moment `monotonic`. */
  time: number
  monotonic: number
  /** Set while the source is too far off to follow: how far, and since when. */
  doubt?: { differenceMs: number; since: number } | undefined
}

export type ClockNotice = 'jumped' | 'adopted' | 'behind'

/**
 * Our time at the next reading. It never goes back, and it does not follow a source that jumps: sessions would expire
 * for good, or deadlines never come. A source that stays ahead is adopted; if it stays behind, our time runs slower
 * until they agree.
 */
export function nextReading(
  last: SteadyTime,
  { source, monotonic }: Reading,
): SteadyTime & { notice?: ClockNotice } {
  const elapsed = Math.max(0, monotonic - last.monotonic)
  const ours = last.time + elapsed
  const differenceMs = source - ours
  if (Math.abs(differenceMs) <= resolutionMs) return { monotonic, time: ours }
  if (Math.abs(differenceMs) <= toleranceMs)
    return { monotonic, time: ours + within(differenceMs, elapsed * slew) }
  const { doubt } = last
  if (!doubt || Math.abs(differenceMs - doubt.differenceMs) > toleranceMs)
    return { monotonic, time: ours, doubt: { differenceMs, since: monotonic }, notice: 'jumped' }
  const isOld = monotonic - doubt.since >= doubtMs
  if (!isOld) return { monotonic, time: ours, doubt: { ...doubt, differenceMs } }
  if (differenceMs > 0) return { monotonic, time: source, notice: 'adopted' }
  const wasOld = last.monotonic - doubt.since >= doubtMs
  return {
    monotonic,
    time: ours - elapsed * slew,
    doubt: { ...doubt, differenceMs },
    ...(!wasOld && { notice: 'behind' as const }),
  }
}

const within = (value: number, bound: number): number => Math.min(Math.max(value, -bound), bound)

/** Keeps an erratic clock from filling the log. */
const noticeEveryMs = 60_000

/** Follows `source` for as long as nobody sets it. */
export function createSteadyClock(
  source: Clock,
  onNotice: (notice: ClockNotice, differenceMs: number) => void,
): ExactClock {
  let steady: SteadyTime = { time: source.now(), monotonic: performance.now() }
  let noticedAt = Number.NEGATIVE_INFINITY
  function exact(): number {
    const reading = { source: source.now(), monotonic: performance.now() }
    const { notice, ...next } = nextReading(steady, reading)
    const wasDoubted = steady.doubt?.differenceMs ?? 0
    steady = next
    if (notice && reading.monotonic - noticedAt >= noticeEveryMs) {
      noticedAt = reading.monotonic
      onNotice(notice, Math.round(next.doubt?.differenceMs ?? wasDoubted))
    }
    return next.time
  }

  return { exact, now: () => Math.round(exact()) }
}
