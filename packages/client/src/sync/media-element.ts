/** The part of `<video>` and `<audio>` that the playback controller uses; tests have a model of it. */
export interface MediaElementLike {
  /** Seconds, as everywhere in this interface. */
  currentTime: number
  playbackRate: number
  volume: number
  readonly duration: number
  readonly paused: boolean
  readonly ended: boolean
  readonly seeking: boolean
  readonly readyState: number
  readonly buffered: { readonly length: number; start(index: number): number; end(index: number): number }
  play(): Promise<void>
  pause(): void
  addEventListener(type: string, listener: () => void): void
  removeEventListener(type: string, listener: () => void): void
  /** Only videos, and not in every browser. */
  requestVideoFrameCallback?(take: (now: number, frame: VideoFrameLike) => void): number
  cancelVideoFrameCallback?(handle: number): void
}

export interface VideoFrameLike {
  /** The frame's own time in the medium, in seconds. */
  mediaTime: number
  /** By the clock of `performance.now()`. */
  expectedDisplayTime: number
}

const haveMetadata = 1
const haveFutureData = 3
/** Enough that playback does not stall at once on an ordinary connection. */
const aheadSeconds = 2
/** Two ranges this close are one: rounding separates the segments of a stream. */
const gapSeconds = 0.25

export const canSeek = ({ readyState }: MediaElementLike): boolean => readyState >= haveMetadata

/** Whether data for the next frames is at hand. */
export const hasData = ({ readyState }: MediaElementLike): boolean => readyState >= haveFutureData

/** Whether it could start now and go on for a while. */
export function isBuffered(element: MediaElementLike): boolean {
  if (!hasData(element) || element.seeking) return false
  const { currentTime, duration } = element
  const wanted = Math.min(
    currentTime + aheadSeconds,
    Number.isFinite(duration) ? duration - gapSeconds : Number.POSITIVE_INFINITY,
  )
  return bufferedUntil(element) >= wanted
}

/** The end of the buffered range around the current position, in seconds. */
export function bufferedUntil({ buffered, currentTime }: MediaElementLike): number {
  let until = currentTime
  for (let index = 0; index < buffered.length; index++)
    if (buffered.start(index) <= until + gapSeconds) until = Math.max(until, buffered.end(index))
  return until
}
