import type { ClockReport } from '@atrium/contract'

/**
 * E40: how far a participant's clock is from ours, estimated. Offsets are the server's clock minus the participant's, so that
 * an offset added to a time of theirs makes it one of ours.
 *
 * A page that reports what it measured is believed. Of any other, each time that it sends tells two things: the offset is at
 * most `receivedAt - clientTime`, because sending took some time, and at least `seenAt - clientTime`, because whoever reacts
 * to something does so after it.
 */
export interface ClockBounds {
  lowMs: number | null
  highMs: number | null
}

export const unknownClock: ClockBounds = { lowMs: null, highMs: null }

/** Null where nothing is known. */
export interface ClockColumns {
  clockOffsetMs: number | null
  clockErrorMs: number | null
}

export const noEstimate: ClockColumns = { clockOffsetMs: null, clockErrorMs: null }

/** Something that a participant did, by both clocks. */
export interface ClientMoment {
  clientTime: number
  receivedAt: number
  /** By our clock: they did it after this, because they reacted to it. */
  seenAt?: number | undefined
  /** By our clock: they did it after this, unless it waited on their device since an earlier session. */
  sessionStartedAt?: number | undefined
  reported?: ClockReport | undefined
}

/**
 * What is known after a moment. If it contradicts what was known, a clock was set: then only this moment counts. What is dated
 * before their session may have waited since an earlier one, and says nothing by that.
 */
export function boundsAfter({ lowMs, highMs }: ClockBounds, moment: ClientMoment): ClockBounds {
  const { clientTime, receivedAt, seenAt, sessionStartedAt } = moment
  const high = receivedAt - clientTime
  const since = seenAt ?? sessionStartedAt
  const low = since === undefined ? null : since - clientTime
  if (highMs === null) return { lowMs: low, highMs: high }
  const measured = measuredBounds(moment)
  const contradicts = (from: number, to: number): boolean => from > highMs || (lowMs !== null && to < lowMs)
  if (measured && contradicts(measured.lowMs, measured.highMs)) return measured
  if (contradicts(seenAt === undefined ? -Infinity : seenAt - clientTime, high))
    return { lowMs: low, highMs: high }
  const best = Math.min(highMs, high)
  const fits = low !== null && low <= best
  return { lowMs: fits && (lowMs === null || low > lowMs) ? low : lowMs, highMs: best }
}

/** A report that would have it received before it happened, or done before they had seen it, is not believed. */
function believed({
  reported,
  clientTime,
  receivedAt,
  seenAt = -Infinity,
}: ClientMoment): ClockReport | undefined {
  if (!reported) return undefined
  const { offsetMs, errorMs } = reported
  const isPossible =
    clientTime + offsetMs - errorMs <= receivedAt + 1 && clientTime + offsetMs + errorMs >= seenAt - 1
  return isPossible ? reported : undefined
}

function measuredBounds(moment: ClientMoment): { lowMs: number; highMs: number } | undefined {
  const report = believed(moment)
  return (
    report && {
      lowMs: Math.floor(report.offsetMs - report.errorMs),
      highMs: Math.ceil(report.offsetMs + report.errorMs),
    }
  )
}

export function estimateOf({ lowMs, highMs }: ClockBounds, moment: ClientMoment): ClockColumns {
  const reported = believed(moment)
  if (reported)
    return { clockOffsetMs: Math.round(reported.offsetMs), clockErrorMs: Math.ceil(reported.errorMs) }
  // Most messages take far less time than people do, so the truth is near the upper bound.
  return { clockOffsetMs: highMs, clockErrorMs: highMs === null || lowMs === null ? null : highMs - lowMs }
}

/** Clocks tick at slightly different speeds, and pages measure the start of a state a little early. */
const toleranceMs = 1_000

/** E41: whether a response time cannot be true: longer than the answer can have taken, or over before its first interaction. */
export function isImplausibleTime(
  { responseTime, firstInteractionMs = 0 }: { responseTime?: unknown; firstInteractionMs?: unknown },
  maxMs: number,
): boolean {
  const times = [responseTime, firstInteractionMs].filter((time) => typeof time === 'number')
  if (times.some((ms) => ms < 0 || ms > maxMs + toleranceMs)) return true
  return (
    typeof responseTime === 'number' &&
    typeof firstInteractionMs === 'number' &&
    firstInteractionMs > responseTime + toleranceMs
  )
}
