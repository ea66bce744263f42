import type { MediaElementLike, VideoFrameLike } from './media-element.ts'
import type { SteadyClock } from './steady-clock.ts'

/** A tab that is not visible shows no frames. */
const limitMs = 600
const pollMs = 10
/** Rounding of positions, in seconds. */
const minMove = 0.001

/**
 * Resolves with how long the element took to get going, counted from now, just before `play()`: by the first frame that
 * is displayed where the browser tells, else by `currentTime`. Undefined if it does not get going.
 */
export function measureStart(element: MediaElementLike, steady: SteadyClock): Promise<number | undefined> {
  const sinceMs = steady.now()
  const from = element.currentTime
  const tookMs = (position: number, atMs: number) => atMs - sinceMs - (position - from) * 1_000
  return new Promise((resolve) => {
    let isOver = false
    const finish = (result: number | undefined): void => {
      isOver = true
      resolve(result)
    }
    steady.after(limitMs, () => finish(undefined))
    const takeFrame = (_now: number, { mediaTime, expectedDisplayTime }: VideoFrameLike): void => {
      if (mediaTime > from + minMove) finish(tookMs(mediaTime, expectedDisplayTime))
      else if (!isOver) element.requestVideoFrameCallback?.(takeFrame)
    }
    const poll = (): void => {
      const { currentTime } = element
      if (currentTime > from + minMove) finish(tookMs(currentTime, steady.now()))
      else if (!isOver) steady.after(pollMs, poll)
    }
    if (element.requestVideoFrameCallback) element.requestVideoFrameCallback(takeFrame)
    else poll()
  })
}
