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
  /** By our clock: they did it after this. */
  seenAt?: number | undefined
  reported?: ClockReport | undefined
}

/**
 * What is known after a moment. If it contradicts what was known, a clock was set: then only this moment counts. What is dated
 * before `seenAt` waited since an earlier session, and says nothing by that.
 */
export function boundsAfter({ lowMs, highMs }: ClockBounds, moment: ClientMoment): ClockBounds {
  const { clientTime, receivedAt, seenAt } = moment
  const high = receivedAt - clientTime
  const low = seenAt === undefined ? null : seenAt - clientTime
  const wasSet = lowMs !== null && high < lowMs
  if (wasSet || highMs === null) return { lowMs: low, highMs: high }
  const best = Math.min(highMs, high)
  const fits = low !== null && low <= best
  return { lowMs: fits && (lowMs === null || low > lowMs) ? low : lowMs, highMs: best }
}

/** A report that would have it received before it happened is not believed. */
export function estimateOf({ lowMs, highMs }: ClockBounds, moment: ClientMoment): ClockColumns {
  const { reported, clientTime, receivedAt } = moment
  if (reported && clientTime + reported.offsetMs - reported.errorMs <= receivedAt + 1)
    return { clockOffsetMs: Math.round(reported.offsetMs), clockErrorMs: Math.ceil(reported.errorMs) }
  // Most messages take far less time than people do, so the truth is near the upper bound.
  return { clockOffsetMs: highMs, clockErrorMs: highMs === null || lowMs === null ? null : highMs - lowMs }
}
