import type { PlaybackState } from '@atrium/contract'
import type { Autoplay } from './autoplay.ts'
import {
  correctionFor,
  type Device,
  isWithinNudge,
  learnt,
  seekPauseMs,
  settleMs,
  withStart,
} from './correction.ts'
import type { createDriftMeter } from './drift-meter.ts'
import { canSeek, hasData, isBuffered, type MediaElementLike } from './media-element.ts'
import type { SteadyClock } from './steady-clock.ts'
import { roomPositionMs } from './timeline.ts'

export interface SteeringDeps {
  element: MediaElementLike
  steady: SteadyClock
  autoplay: Autoplay
  meter: ReturnType<typeof createDriftMeter>
  device: Device
}

/** Before another attempt to play what the browser, a media key or an unplugged headset has stopped. */
const playAgainMs = 1_000
/** A paused player is moved only if it is further off than this: about one frame. */
const heldWithinMs = 20
/** A player this close to the end plays the rest when the room is through. */
const tailMs = 1_500

/** A start or a seek that has not been judged yet. */
interface Move {
  kind: 'startMs' | 'seekMs'
  /** Set once the element has data and is no longer seeking, so that neither is taken for drift. */
  settledAtMs: number | undefined
  hasStalled: boolean
}

/** Puts what the room says into effect on one element: start, seek, nudge, hold. */
export function createSteering({ element, steady, autoplay, meter, device }: SteeringDeps) {
  let move: Move | undefined
  let isAligning = false
  let seeksInRow = 0
  let maySeekAtMs = Number.NEGATIVE_INFINITY
  let mayPlayAtMs = Number.NEGATIVE_INFINITY
  let heldFor: PlaybackState | undefined
  let hasRehearsed = false
  /** A trial has moved the element a little. */
  let hasStrayed = false

  const ownMs = (): number => element.currentTime * 1_000
  const endMs = (): number => element.duration * 1_000
  const withinMedium = (positionMs: number): number =>
    Number.isFinite(endMs()) ? Math.min(positionMs, endMs()) : positionMs

  function setRate(rate: number): void {
    // Each assignment disturbs the sound a little, so none without need.
    if (Math.abs(element.playbackRate - rate) > 0.000_1) element.playbackRate = rate
  }

  function begin(kind: Move['kind'], { rate }: PlaybackState): void {
    setRate(rate)
    move = { kind, settledAtMs: undefined, hasStalled: false }
    isAligning = false
    meter.reset()
  }

  /** Jumps to where the room will be once the seek is done. */
  function seek(present: PlaybackState, serverMs: number): void {
    begin('seekMs', present)
    element.currentTime = withinMedium(roomPositionMs(present, serverMs + device.latencies.seekMs)) / 1_000
    seeksInRow++
    maySeekAtMs = steady.now() + seekPauseMs(seeksInRow)
  }

  function start(present: PlaybackState, serverMs: number): void {
    if (autoplay.permission() === 'refused' || steady.now() < mayPlayAtMs) return
    mayPlayAtMs = steady.now() + playAgainMs
    const targetMs = withinMedium(roomPositionMs(present, serverMs + device.latencies.startMs))
    if (canSeek(element) && Math.abs(ownMs() - targetMs) > 2 * heldWithinMs) seek(present, serverMs)
    else begin('startMs', present)
    void autoplay.start()
  }

  function isSettled(current: Move): boolean {
    const nowMs = steady.now()
    current.settledAtMs ??= nowMs + settleMs
    // The first half only shows how playback gets going.
    if (nowMs < current.settledAtMs - settleMs / 2) meter.reset()
    return nowMs >= current.settledAtMs
  }

  /** One that then had to wait for data says nothing about how long starting or seeking takes. */
  function learnFrom({ kind, hasStalled }: Move, driftMs: number, rate: number): void {
    if (!hasStalled) device.latencies = learnt(device.latencies, kind, driftMs, rate)
    move = undefined
    isAligning = true
  }

  function correct(driftMs: number, present: PlaybackState, serverMs: number): void {
    if (isWithinNudge(driftMs)) seeksInRow = 0
    const maySeek = steady.now() >= maySeekAtMs
    const correction = correctionFor(driftMs, { isAligning, maySeek, latencies: device.latencies })
    if (correction.kind === 'seek') return void seek(present, serverMs)
    isAligning = correction.kind === 'nudge'
    setRate(correction.kind === 'nudge' ? present.rate * correction.factor : present.rate)
  }

  /**
   * Finds out how long starting takes, from where and as it will be done: after a seek. Starts take 10 ms without one,
   * 85 ms with one and 200 ms for the first time (Chromium).
   */
  function rehearse(): void {
    if (hasRehearsed || device.latencies.hasStarted || !isBuffered(element)) return
    hasRehearsed = true
    void autoplay.rehearse().then((startMs) => {
      if (startMs !== undefined) device.latencies = withStart(device.latencies, startMs)
    })
  }

  return {
    ownMs,
    withinMedium,
    seek,
    /** How long starting takes: what stands still starts this much earlier. */
    startMs: (): number => (element.paused ? device.latencies.startMs : 0),
    isMoving: (): boolean => move === undefined && !element.seeking,
    /** The room has said something new: an attempt to play does not have to wait any longer. */
    refresh(): void {
      mayPlayAtMs = Number.NEGATIVE_INFINITY
      meter.reset()
    },
    /** The room plays: play, and stay in step. */
    follow(present: PlaybackState, serverMs: number): void {
      heldFor = undefined
      if (element.ended && withinMedium(roomPositionMs(present, serverMs)) >= endMs() - tailMs) return
      if (element.paused || element.ended) return void start(present, serverMs)
      meter.look()
      if (element.seeking || !hasData(element)) {
        // Loading what lies at the target belongs to the seek.
        if (move) move = { ...move, settledAtMs: undefined, hasStalled: move.hasStalled || !element.seeking }
        return
      }
      if (move && !isSettled(move)) return
      const driftMs = meter.driftMs()
      if (driftMs === undefined) return
      if (move) learnFrom(move, driftMs, present.rate)
      correct(driftMs, present, serverMs)
    },
    /** The room does not play: wait where it will go on. */
    hold(present: PlaybackState): void {
      move = undefined
      if (autoplay.permission() === 'trying') return
      if (!element.paused) element.pause()
      setRate(present.rate)
      if (!canSeek(element) || element.seeking) return
      const targetMs = withinMedium(present.positionMs)
      // Once for each state: an element that cannot get closer must not be moved for ever.
      if (heldFor !== present && Math.abs(ownMs() - targetMs) > (hasStrayed ? 1 : heldWithinMs)) {
        element.currentTime = targetMs / 1_000
        hasStrayed = false
      }
      heldFor = present
      autoplay.findOut()
      if (autoplay.permission() === 'allowed') rehearse()
      if (autoplay.permission() !== 'trying') return
      heldFor = undefined
      hasStrayed = true
    },
    /** The room is through. Returns true once the element has come to rest, too. */
    finish(): boolean {
      move = undefined
      if (!element.paused && endMs() - ownMs() < tailMs && hasData(element)) return false
      if (!element.paused) element.pause()
      return true
    },
  }
}
