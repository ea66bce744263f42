import type { PlaybackState } from '@atrium/contract'
import { createAutoplay } from './autoplay.ts'
import { createBufferWatch } from './buffer-watch.ts'
import type { SyncReport } from './connect-sync.ts'
import { type Device, seekBeyondMs, unknownDevice } from './correction.ts'
import { createDriftMeter } from './drift-meter.ts'
import type { MediaElementLike } from './media-element.ts'
import type { SteadyClock } from './steady-clock.ts'
import { createSteering } from './steering.ts'
import type { SyncedClock } from './synced-clock.ts'
import { promoted, roomPositionMs, type Timeline, withNews } from './timeline.ts'

export interface PlaybackDeps {
  element: MediaElementLike
  clock: SyncedClock
  steady: SteadyClock
  tellBuffer(status: 'ready' | 'stalled'): void
  report(report: SyncReport): void
  /** The browser wants a gesture before it plays: show a button that calls `allow`. */
  onGesture?(isNeeded: boolean): void
  /** The room's playback has ended, whether or not this player came to the end. */
  onEnded?(): void
  /** Shared by the playbacks of a page. */
  device?: Device
  /** `navigator.getAutoplayPolicy`, where there is one. */
  autoplayPolicy?: (() => 'allowed' | 'refused' | undefined) | undefined
}

const tickMs = 100
/** Timers may be late by a few milliseconds, so the last stretch before a scheduled moment gets a timer of its own. */
const lastStretchMs = 15
const reportEveryMs = 5_000
/** A jump of the room that is followed at once; anything shorter is nudged away. */
const jumpMs = 100
const changes = ['seeked', 'playing', 'waiting', 'canplay', 'pause', 'ended', 'loadedmetadata']

export type Playback = ReturnType<typeof createPlayback>

/** Lets one `<video>` or `<audio>` follow the room, from the first state until `close`. */
export function createPlayback(deps: PlaybackDeps) {
  const { element, clock, steady, device = unknownDevice() } = deps
  let timeline: Timeline | undefined
  let nextReportMs = steady.now() + reportEveryMs
  let hasEnded = false
  let callOff = (): void => undefined

  const autoplay = createAutoplay({
    element,
    steady,
    policy: deps.autoplayPolicy,
    isRoomPlaying: () => timeline?.present.status === 'playing',
    onChange: (isGestureNeeded) => deps.onGesture?.(isGestureNeeded),
  })
  const meter = createDriftMeter({
    element,
    now: steady.now,
    roomPositionAt(localMs) {
      const serverMs = clock.serverAt(localMs)
      if (serverMs === undefined || timeline?.present.status !== 'playing') return undefined
      return steering.withinMedium(roomPositionMs(timeline.present, serverMs))
    },
  })
  const steering = createSteering({ element, steady, autoplay, meter, device })
  const buffers = createBufferWatch(element, deps.tellBuffer)

  /** What the room has said, or what of it has now come into force. */
  function enter(news: Timeline, serverMs: number | undefined): void {
    const before = timeline?.present
    timeline = news
    const { present } = news
    if (present === before) return
    steering.refresh()
    if (present.status !== 'ended') hasEnded = false
    if (serverMs === undefined || before?.status !== 'playing' || present.status !== 'playing') return
    const byMs = roomPositionMs(present, serverMs) - roomPositionMs(before, serverMs)
    if (Math.abs(byMs) > jumpMs && !element.paused) steering.seek(present, serverMs)
  }

  function obey(present: PlaybackState, serverMs: number | undefined): void {
    if (present.status === 'ended') end()
    else if (present.status !== 'playing') steering.hold(present)
    else if (serverMs !== undefined) steering.follow(present, serverMs)
  }

  function end(): void {
    if (!steering.finish() || hasEnded) return
    hasEnded = true
    deps.onEnded?.()
  }

  /** What stands still starts a little earlier, by as long as starting takes. */
  const leadMs = (): number => (timeline?.next?.status === 'playing' ? steering.startMs() : 0)

  function step(): void {
    callOff()
    const serverMs = clock.serverNow()
    if (timeline) {
      if (serverMs !== undefined) enter(promoted(timeline, serverMs + leadMs()), serverMs)
      obey(timeline.present, serverMs)
      buffers.look({
        nowMs: steady.now(),
        mayPlay: autoplay.permission() === 'allowed',
        isAsked: timeline.present.status === 'preparing',
      })
      reportNowAndThen()
    }
    callOff = steady.after(untilNextStepMs(), step)
  }

  function untilNextStepMs(): number {
    const serverMs = clock.serverNow()
    if (!timeline?.next || serverMs === undefined) return tickMs
    const leftMs = timeline.next.atServerTime - leadMs() - serverMs
    return Math.max(0, Math.min(tickMs, leftMs > 2 * lastStretchMs ? leftMs - lastStretchMs : leftMs))
  }

  function reportNowAndThen(): void {
    const { estimate } = clock
    const driftMs = meter.driftMs()
    if (steady.now() < nextReportMs || !estimate || driftMs === undefined || !steering.isMoving()) return
    nextReportMs = steady.now() + reportEveryMs
    deps.report({ driftMs: inTenths(driftMs), rttMs: inTenths(estimate.rttMs) })
  }

  for (const change of changes) element.addEventListener(change, step)
  step()
  return {
    /** News from the room, in the order in which it arrives. */
    follow(news: PlaybackState): void {
      const serverMs = clock.serverNow()
      // Until the clock is known, nothing has come into force.
      enter(withNews(timeline, news, serverMs ?? Number.NEGATIVE_INFINITY), serverMs)
      if (news.status === 'preparing' || news.status === 'waiting') buffers.forget()
      step()
    },
    /** The connection is new: tell the room again whether this player could play. */
    reconnected(): void {
      buffers.forget()
      step()
    },
    /** Call it in the handler of the click that `onGesture` asked for. */
    async allow(): Promise<void> {
      await autoplay.allow()
      step()
    },
    /** How far this player is ahead of the room, in milliseconds; undefined while nothing plays. */
    driftMs: (): number | undefined => meter.driftMs(),
    /**
     * The position in the medium that ratings are about: the room's, so that those of different participants compare.
     * Someone who is more than a second off still sees something else, so theirs is their own.
     */
    positionMs(): number {
      const serverMs = clock.serverNow()
      if (!timeline || serverMs === undefined) return steering.ownMs()
      const { present } = promoted(timeline, serverMs)
      const roomMs = steering.withinMedium(roomPositionMs(present, serverMs))
      return Math.abs(roomMs - steering.ownMs()) > seekBeyondMs ? steering.ownMs() : roomMs
    },
    /** For a tab that is visible again, where timers were throttled. */
    look: step,
    close(): void {
      for (const change of changes) element.removeEventListener(change, step)
      callOff()
      meter.close()
    },
  }
}

const inTenths = (ms: number): number => Math.round(ms * 10) / 10
