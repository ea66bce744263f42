import type { Clock } from './clock.ts'

/** So much one clock may differ from another without anything having happened to either. */
const toleranceMs = 1_000
/** Our time runs at most so much faster or slower than it passes, while it approaches the source. */
const slew = 0.01
/** A clock that was set by mistake is soon set right; one that stays ahead for so long, as after a suspended machine, is believed. */
const doubtMs = 10 * 60_000

/** Two clocks at one moment: one that can be set, and one that only counts. */
export interface Reading {
  source: number
  monotonic: number
}

export interface SteadyTime {
  /** Our time, in epoch milliseconds, at the moment `monotonic`. */
  time: number
  monotonic: number
  /** How far the source is from us, since when, when it is too far to be followed. */
  doubt?: { differenceMs: number; since: number } | undefined
}

export type ClockNotice = 'jumped' | 'adopted' | 'behind'

/**
 * Our time at the next reading. It never goes back. A source that jumps is not followed: sessions would expire for good
 * and deadlines never come. Ahead for long, it is adopted; behind for long, our time runs slower until they agree.
 */
export function nextReading(
  last: SteadyTime,
  { source, monotonic }: Reading,
): SteadyTime & { notice?: ClockNotice } {
  const elapsed = Math.max(0, monotonic - last.monotonic)
  const ours = last.time + elapsed
  const differenceMs = source - ours
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

/** A log that a clock gone mad cannot fill. */
const noticeEveryMs = 60_000

/** The time of `source`, as long as nobody sets it. */
export function createSteadyClock(
  source: Clock,
  onNotice: (notice: ClockNotice, differenceMs: number) => void,
): Clock {
  let steady: SteadyTime = { time: source.now(), monotonic: performance.now() }
  let noticedAt = Number.NEGATIVE_INFINITY
  return {
    now() {
      const reading = { source: source.now(), monotonic: performance.now() }
      const { notice, ...next } = nextReading(steady, reading)
      const wasDoubted = steady.doubt?.differenceMs ?? 0
      steady = next
      if (notice && reading.monotonic - noticedAt >= noticeEveryMs) {
        noticedAt = reading.monotonic
        onNotice(notice, Math.round(next.doubt?.differenceMs ?? wasDoubted))
      }
      return Math.round(next.time)
    },
  }
}
