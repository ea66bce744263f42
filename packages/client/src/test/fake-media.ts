import type { MediaElementLike, VideoFrameLike } from '../sync/media-element.ts'
import type { VirtualClock } from './virtual-clock.ts'

export interface MediaModel {
  durationMs: number
  /** How long `play()` takes to get going. */
  startLatencyMs(): number
  seekLatencyMs(): number
  /** The sound card's clock against ours. */
  speed: number
  /** What `currentTime` is off by when it is read. */
  jitterMs(): number
  /** Whether the browser tells which frames it displays. */
  hasFrames: boolean
  /** Refuses to play without a gesture until `gesture()`. */
  needsGesture: boolean
}

const usual: MediaModel = {
  durationMs: 600_000,
  startLatencyMs: () => 45,
  seekLatencyMs: () => 180,
  speed: 1,
  jitterMs: () => 0,
  hasFrames: false,
  needsGesture: false,
}

const stepMs = 5
const frameMs = 40
const nothing = 1
const enough = 4

/** A model of `<video>`: it starts late, seeks slowly, stalls without data, and reads its position inexactly. */
export function createFakeMedia(clock: VirtualClock, options: Partial<MediaModel> = {}) {
  const model = { ...usual, ...options }
  const listeners = new Map<string, Set<() => void>>()
  let positionMs = 0
  let rate = 1
  let isPaused = true
  let hasEnded = false
  let bufferedMs = Number.POSITIVE_INFINITY
  let movesAtMs = Number.POSITIVE_INFINITY
  let seekEndsAtMs: number | undefined
  let isStalled = false
  let isLoaded = true
  let frame: ((now: number, frame: VideoFrameLike) => void) | undefined
  let lastMs = clock.now()
  let nextFrameMs = clock.now()
  const counts = { seeks: 0, plays: 0, rateChanges: 0 }
  const rates: number[] = []

  // As in a browser, events come a moment after what they are about.
  const fire = (type: string): void =>
    void clock.after(0, () => {
      for (const listener of listeners.get(type) ?? []) listener()
    })

  const endMs = (): number => Math.min(model.durationMs, bufferedMs)
  const hasData = (): boolean => isLoaded && (positionMs < bufferedMs || positionMs >= model.durationMs)

  function step(): void {
    const now = clock.now()
    if (seekEndsAtMs !== undefined && now >= seekEndsAtMs && hasData()) {
      seekEndsAtMs = undefined
      fire('seeked')
    }
    const isMoving = !isPaused && seekEndsAtMs === undefined && now >= movesAtMs && hasData()
    if (isMoving) {
      if (isStalled) fire('playing')
      isStalled = false
      positionMs = Math.min(endMs(), positionMs + (now - Math.max(lastMs, movesAtMs)) * rate * model.speed)
      if (positionMs >= model.durationMs && !hasEnded) {
        hasEnded = true
        isPaused = true
        fire('pause')
        fire('ended')
      }
    } else if (!isPaused && !hasData() && !isStalled) {
      isStalled = true
      fire('waiting')
    }
    lastMs = now
    if (isMoving && now >= nextFrameMs) {
      nextFrameMs = now + frameMs
      const take = frame
      frame = undefined
      // A browser announces a frame a little before it is displayed.
      take?.(now, { mediaTime: (positionMs + 8 * rate) / 1_000, expectedDisplayTime: now + 8 })
    }
    clock.after(stepMs, step)
  }
  step()

  const element: MediaElementLike = {
    get currentTime() {
      return Math.max(0, positionMs + (isPaused || seekEndsAtMs !== undefined ? 0 : model.jitterMs())) / 1_000
    },
    set currentTime(seconds) {
      counts.seeks++
      hasEnded = false
      positionMs = Math.min(seconds * 1_000, model.durationMs)
      seekEndsAtMs = clock.now() + model.seekLatencyMs()
      movesAtMs = Math.max(seekEndsAtMs, movesAtMs === Number.POSITIVE_INFINITY ? 0 : movesAtMs)
    },
    get playbackRate() {
      return rate
    },
    set playbackRate(next) {
      counts.rateChanges++
      rates.push(next)
      rate = next
    },
    volume: 1,
    get duration() {
      return isLoaded ? model.durationMs / 1_000 : Number.NaN
    },
    get paused() {
      return isPaused
    },
    get ended() {
      return hasEnded
    },
    get seeking() {
      return seekEndsAtMs !== undefined
    },
    get readyState() {
      if (!isLoaded) return 0
      return hasData() && seekEndsAtMs === undefined ? enough : nothing
    },
    get buffered() {
      return { length: isLoaded ? 1 : 0, start: () => 0, end: () => endMs() / 1_000 }
    },
    async play() {
      counts.plays++
      if (model.needsGesture) throw Object.assign(new Error('no gesture'), { name: 'NotAllowedError' })
      if (!isPaused) return
      isPaused = false
      movesAtMs = clock.now() + model.startLatencyMs()
      fire('play')
    },
    pause() {
      if (isPaused) return
      isPaused = true
      movesAtMs = Number.POSITIVE_INFINITY
      fire('pause')
    },
    addEventListener(type, listener) {
      listeners.set(type, (listeners.get(type) ?? new Set()).add(listener))
    },
    removeEventListener(type, listener) {
      listeners.get(type)?.delete(listener)
    },
    ...(model.hasFrames && {
      requestVideoFrameCallback(take) {
        frame = take
        return 1
      },
      cancelVideoFrameCallback() {
        frame = undefined
      },
    }),
  }

  return {
    element,
    counts,
    rates,
    listenerCount: (): number => [...listeners.values()].reduce((sum, { size }) => sum + size, 0),
    /** Where it really is. */
    positionMs: (): number => positionMs,
    /** Nothing beyond this position is there. */
    bufferUntil(ms: number): void {
      bufferedMs = ms
      if (hasData()) fire('canplay')
    },
    load(loaded: boolean): void {
      isLoaded = loaded
      if (loaded) fire('loadedmetadata')
    },
    gesture(): void {
      model.needsGesture = false
    },
    /** A media key, or an unplugged headset. */
    pauseFromOutside: (): void => element.pause(),
  }
}
