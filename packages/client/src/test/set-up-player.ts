import type { PlaybackState } from '@atrium/contract'
import type { SyncReport } from '../sync/connect-sync.ts'
import { unknownDevice } from '../sync/correction.ts'
import { createPlayback } from '../sync/playback.ts'
import { createFakeMedia, type MediaModel } from './fake-media.ts'
import { createVirtualClock } from './virtual-clock.ts'

const aheadMs = 1_700_000_000_000

/** A room, a player and its element, in simulated time. */
export function setUpPlayer(model: Partial<MediaModel> = {}, device = unknownDevice()) {
  const steady = createVirtualClock()
  const media = createFakeMedia(steady, model)
  const told: string[] = []
  const reports: SyncReport[] = []
  const gestures: boolean[] = []
  let ends = 0
  let isClockKnown = true
  const serverNow = () => steady.now() + aheadMs
  const estimate = { offsetMs: aheadMs, uncertaintyMs: 1, rttMs: 20 }
  const playback = createPlayback({
    element: media.element,
    steady,
    device,
    clock: {
      serverNow: () => (isClockKnown ? serverNow() : undefined),
      serverAt: (localMs) => (isClockKnown ? localMs + aheadMs : undefined),
      get estimate() {
        return isClockKnown ? estimate : undefined
      },
    },
    tellBuffer: (status) => told.push(status),
    report: (report) => reports.push(report),
    onGesture: (isNeeded) => gestures.push(isNeeded),
    onEnded: () => ends++,
  })
  let state: PlaybackState = {
    componentId: 'film',
    status: 'preparing',
    positionMs: 0,
    atServerTime: Math.round(serverNow()),
    rate: 1,
  }
  const roomMs = () =>
    state.status === 'playing'
      ? state.positionMs + Math.max(0, serverNow() - state.atServerTime) * state.rate
      : state.positionMs
  return {
    steady,
    media,
    playback,
    told,
    reports,
    gestures,
    ends: () => ends,
    roomMs,
    knowClock(isKnown: boolean) {
      isClockKnown = isKnown
    },
    /** The room says something, which comes into force a little later. */
    say(news: Partial<PlaybackState>, leadMs = 300) {
      state = { ...state, atServerTime: Math.round(serverNow() + leadMs), ...news }
      playback.follow(state)
    },
    /** What is really true, which the player can only estimate. */
    driftMs: () => media.positionMs() - roomMs(),
    async worstDriftOver(ms: number): Promise<number> {
      let worst = 0
      for (let passed = 0; passed < ms; passed += 50) {
        await steady.advance(50)
        worst = Math.max(worst, Math.abs(media.positionMs() - roomMs()))
      }
      return worst
    },
  }
}

type PlayerSetUp = ReturnType<typeof setUpPlayer>

export async function preparedPlayer(model: Partial<MediaModel> = {}): Promise<PlayerSetUp> {
  const set = setUpPlayer(model)
  set.say({ status: 'preparing' }, 0)
  await set.steady.advance(1_000)
  return set
}

export async function playingPlayer(model: Partial<MediaModel> = {}): Promise<PlayerSetUp> {
  const set = await preparedPlayer(model)
  set.say({ status: 'playing' })
  await set.steady.advance(3_000)
  return set
}

/** Numbers in [0, 1) that are the same in every run. */
export function sequence(seed: number): () => number {
  let value = seed
  return () => {
    value = (value * 48_271) % 2_147_483_647
    return value / 2_147_483_647
  }
}
