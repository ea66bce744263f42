import type { ClockPong } from '@atrium/contract'

/**
 * Server time, estimated from pings. Pure: local times are arguments, in fractional milliseconds of a monotonic clock.
 *
 * A ping tells two things about the offset between the clocks (server minus local). It is at most `t1 - t0`, because
 * the ping needed some time to arrive, and at least `t2 - t3`, because the pong did. Each direction keeps its own best
 * sample, so one quick ping and another quick pong together are as good as a single quick round trip: the estimate is
 * never worse than half of the smallest round trip, and usually much better.
 */
export interface ClockSample {
  /** When the pong arrived, by the local clock. */
  atMs: number
  minOffsetMs: number
  maxOffsetMs: number
  rttMs: number
}

export interface ClockEstimate {
  /** Server time minus local time. */
  offsetMs: number
  /** The estimate is off by at most this much. */
  uncertaintyMs: number
  /** The smallest round trip among the samples in use. */
  rttMs: number
}

/**
 * How far apart two clocks may drift, as a share of the time passed. Quartz clocks stay below 50 ppm; the other half is
 * for a clock that the system is adjusting. So a sample that is 15 s old is uncertain by 1.5 ms more.
 */
const maxDrift = 100e-6
/** Enough for the burst at the start and several minutes; older samples have become too vague to matter. */
const maxSamples = 40

/** Undefined for a pong that cannot be true, such as one that was sent before it arrived. */
export function sampleOf({ t0, t1, t2 }: ClockPong, t3: number): ClockSample | undefined {
  const rttMs = t3 - t0 - (t2 - t1)
  const isSound = [t0, t1, t2, t3].every(Number.isFinite) && t2 >= t1 && rttMs >= 0
  return isSound ? { atMs: t3, minOffsetMs: t2 - t3, maxOffsetMs: t1 - t0, rttMs } : undefined
}

/**
 * Adds a sample. If it contradicts the others, one of the clocks has jumped (the computer slept, or the room is now on
 * another server): then only the new sample counts.
 */
export function withSample(
  samples: readonly ClockSample[],
  sample: ClockSample,
): { samples: ClockSample[]; hasJumped: boolean } {
  const together = [...samples.slice(1 - maxSamples), sample]
  const { min, max } = rangeAt(together, sample.atMs)
  return min <= max ? { samples: together, hasJumped: false } : { samples: [sample], hasJumped: true }
}

/** Undefined without samples. */
export function estimateAt(samples: readonly ClockSample[], localMs: number): ClockEstimate | undefined {
  if (samples.length === 0) return undefined
  const { min, max } = rangeAt(samples, localMs)
  return {
    offsetMs: (min + max) / 2,
    uncertaintyMs: (max - min) / 2,
    rttMs: Math.min(...samples.map(({ rttMs }) => rttMs)),
  }
}

function rangeAt(samples: readonly ClockSample[], localMs: number): { min: number; max: number } {
  let min = Number.NEGATIVE_INFINITY
  let max = Number.POSITIVE_INFINITY
  for (const { atMs, minOffsetMs, maxOffsetMs, rttMs } of samples) {
    // The older end of the sample is when the ping left.
    const driftMs = maxDrift * (Math.abs(localMs - atMs) + rttMs)
    min = Math.max(min, minOffsetMs - driftMs)
    max = Math.min(max, maxOffsetMs + driftMs)
  }
  return { min, max }
}
