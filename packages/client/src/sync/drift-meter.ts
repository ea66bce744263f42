import type { MediaElementLike, VideoFrameLike } from './media-element.ts'

export interface DriftMeterDeps {
  element: MediaElementLike
  /** The local monotonic clock. */
  now(): number
  /** Where the room is at that moment of the local clock; undefined while that is unknown or stands still. */
  roomPositionAt(localMs: number): number | undefined
}

/** Ten frames at 30 frames a second. Longer would still remember the drift before a nudge. */
const windowMs = 300
/** Shown frames tell more than `currentTime`. A hidden tab shows none. */
const framesCountForMs = 250

/**
 * Measures how far the player is ahead of the room: by the frames that are displayed, where the browser tells, else by
 * `currentTime`. The median of the last measurements, because a single one may be off by a frame.
 */
export function createDriftMeter({ element, now, roomPositionAt }: DriftMeterDeps) {
  let measured: { atMs: number; driftMs: number }[] = []
  let lastFrameMs = Number.NEGATIVE_INFINITY
  let handle: number | undefined

  function note(positionMs: number, atMs: number): void {
    const roomMs = roomPositionAt(atMs)
    if (roomMs === undefined || element.seeking) return
    measured = [
      ...measured.filter((one) => one.atMs > atMs - windowMs),
      { atMs, driftMs: positionMs - roomMs },
    ]
  }

  function takeFrame(_now: number, { mediaTime, expectedDisplayTime }: VideoFrameLike): void {
    watchFrames()
    // The frame shown after a seek says nothing while the picture stands still.
    if (element.paused) return
    lastFrameMs = now()
    note(mediaTime * 1_000, expectedDisplayTime)
  }

  function watchFrames(): void {
    handle = element.requestVideoFrameCallback?.(takeFrame)
  }

  watchFrames()
  return {
    /** To be called regularly; counts where there are no frames. */
    look(): void {
      const atMs = now()
      if (atMs - lastFrameMs > framesCountForMs) note(element.currentTime * 1_000, atMs)
    },
    /** Undefined until measured since the last `reset`. */
    driftMs(): number | undefined {
      const sorted = measured.map(({ driftMs }) => driftMs).toSorted((one, other) => one - other)
      return sorted[Math.floor(sorted.length / 2)]
    },
    /** What was measured before a seek, a start or news from the room no longer counts. */
    reset(): void {
      measured = []
    },
    close(): void {
      if (handle !== undefined) element.cancelVideoFrameCallback?.(handle)
    },
  }
}
