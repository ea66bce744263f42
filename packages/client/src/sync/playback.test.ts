import type { PlaybackState } from '@atrium/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createFakeMedia, type MediaModel } from '../test/fake-media.ts'
import { createVirtualClock } from '../test/virtual-clock.ts'
import type { SyncReport } from './connect-sync.ts'
import { unknownDevice } from './correction.ts'
import { createPlayback } from './playback.ts'

const aheadMs = 1_700_000_000_000

/** A room, a player and its element, in simulated time. */
function setUp(model: Partial<MediaModel> = {}, device = unknownDevice()) {
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

type SetUp = ReturnType<typeof setUp>

async function prepare(model: Partial<MediaModel> = {}): Promise<SetUp> {
  const set = setUp(model)
  set.say({ status: 'preparing' }, 0)
  await set.steady.advance(1_000)
  return set
}

async function playing(model: Partial<MediaModel> = {}): Promise<SetUp> {
  const set = await prepare(model)
  set.say({ status: 'playing' })
  await set.steady.advance(3_000)
  return set
}

describe('a player that follows the room', () => {
  test('[R27] tells the room once that it is ready, and starts at the scheduled moment', async () => {
    const set = await prepare()
    expect(set.told).toEqual(['ready'])
    expect(set.media.element.paused).toBe(true)
    expect(set.media.element.volume).toBe(1)
    set.say({ status: 'playing' })
    await set.steady.advance(290)
    expect(set.media.positionMs()).toBeLessThan(20)
    await set.steady.advance(100)
    expect(Math.abs(set.driftMs())).toBeLessThan(40)
    await set.steady.advance(3_000)
    expect(await set.worstDriftOver(5_000)).toBeLessThan(15)
    // Back from a trial, and back from the rehearsal.
    expect(set.media.counts.seeks).toBeLessThanOrEqual(2)
  })

  test.each([false, true])('[R27] converges and does not oscillate (frames: %s)', async (hasFrames) => {
    const random = sequence(3)
    const set = await playing({
      hasFrames,
      startLatencyMs: () => 250,
      jitterMs: () => (random() - 0.5) * 12,
      speed: 1.000_05,
    })
    await set.steady.advance(8_000)
    const changes = set.media.counts.rateChanges
    expect(await set.worstDriftOver(60_000)).toBeLessThan(40)
    expect(set.media.counts.rateChanges - changes).toBeLessThan(30)
    expect(set.media.counts.seeks).toBeLessThanOrEqual(1)
    for (const rate of set.media.rates) expect(Math.abs(rate - 1)).toBeLessThanOrEqual(0.05 + 1e-9)
  })

  test('[R27] a small drift is left alone, a larger one is nudged away', async () => {
    const set = await playing()
    await set.steady.advance(3_000)
    const { counts } = set.media
    const before = { ...counts }
    // The room moves by less than is noticed.
    set.say({ positionMs: set.roomMs() + 15 + 300 })
    await set.steady.advance(3_000)
    expect(counts).toEqual(before)
    set.say({ positionMs: set.roomMs() + 60 + 300 })
    await set.steady.advance(5_000)
    expect(counts.seeks).toBe(before.seeks)
    expect(counts.rateChanges).toBeGreaterThan(before.rateChanges)
    expect(Math.abs(set.driftMs())).toBeLessThan(15)
    expect(set.media.element.playbackRate).toBe(1)
  })

  test('[R27] follows a seek of the room, and learns how long seeking takes', async () => {
    const set = await playing({ seekLatencyMs: () => 700 })
    await set.steady.advance(20_000)
    const { seeks } = set.media.counts
    const landings: number[] = []
    for (const positionMs of [200_000, 50_000, 400_000, 10_000, 300_000]) {
      set.say({ positionMs })
      await set.steady.advance(300 + 700 + 250)
      landings.push(Math.abs(set.driftMs()))
      await set.steady.advance(20_000)
      expect(Math.abs(set.driftMs())).toBeLessThan(15)
    }
    expect(landings.at(-1)).toBeLessThan(60)
    expect(landings.at(-1) ?? 0).toBeLessThan(landings[0] ?? 0)
    // One for each command, and one because nothing was known about seeking at first.
    expect(set.media.counts.seeks - seeks).toBeLessThanOrEqual(6)
  })

  test('[R27] an element that seeks too slowly is not made to seek without end', async () => {
    const random = sequence(11)
    const set = await playing({ seekLatencyMs: () => 2_500 + random() * 5_000 })
    set.say({ positionMs: 100_000 })
    const before = set.media.counts.seeks
    await set.steady.advance(120_000)
    expect(set.media.counts.seeks - before).toBeLessThan(12)
  })

  test('[R27] a late joiner starts where the room is', async () => {
    const set = setUp()
    set.say({ status: 'playing', positionMs: 90_000 }, -5_000)
    await set.steady.advance(4_000)
    expect(Math.abs(set.driftMs())).toBeLessThan(60)
    await set.steady.advance(5_000)
    expect(Math.abs(set.driftMs())).toBeLessThan(15)
  })

  test('[R27] everybody pauses at the same frame and goes on from it', async () => {
    const set = await playing({ startLatencyMs: () => 120 })
    set.say({ status: 'paused', positionMs: set.roomMs() + 300 })
    await set.steady.advance(290)
    expect(set.media.element.paused).toBe(false)
    await set.steady.advance(1_000)
    expect(set.media.element.paused).toBe(true)
    expect(Math.abs(set.driftMs())).toBeLessThanOrEqual(20)
    set.say({ status: 'playing' })
    await set.steady.advance(3_000)
    expect(Math.abs(set.driftMs())).toBeLessThan(15)
  })

  test('[R27] nothing happens before server time is known, except that it loads', async () => {
    const set = setUp()
    set.knowClock(false)
    set.say({ status: 'playing', positionMs: 5_000 }, -1_000)
    await set.steady.advance(2_000)
    expect(set.media.element.paused).toBe(true)
    expect(set.media.positionMs()).toBeCloseTo(5_000, 0)
    set.knowClock(true)
    await set.steady.advance(6_000)
    expect(Math.abs(set.driftMs())).toBeLessThan(40)
  })

  test('[R27] plays at the rate of the room, and nudges around it', async () => {
    const set = await playing()
    set.say({ rate: 1.5, positionMs: set.roomMs() + 300 })
    await set.steady.advance(10_000)
    expect(set.media.element.playbackRate).toBeCloseTo(1.5, 6)
    expect(Math.abs(set.driftMs())).toBeLessThan(20)
  })
})

test('[R27] how long starting takes is found out before the room starts, and known for the next film', async () => {
  const startLatencyMs = () => 240
  const device = unknownDevice()
  const first = setUp({ startLatencyMs }, device)
  first.say({ status: 'preparing' }, 0)
  await first.steady.advance(2_000)
  expect(first.told).toEqual(['ready'])
  expect(first.media.positionMs()).toBe(0)
  expect(first.media.counts.plays).toBe(2)
  first.say({ status: 'playing' })
  await first.steady.advance(320)
  expect(Math.abs(first.driftMs())).toBeLessThan(25)
  const { rateChanges } = first.media.counts
  expect(await first.worstDriftOver(2_000)).toBeLessThan(25)
  expect(first.media.counts.rateChanges).toBe(rateChanges)

  const next = setUp({ startLatencyMs }, device)
  next.say({ status: 'preparing' }, 0)
  await next.steady.advance(2_000)
  expect(next.media.counts.plays).toBe(1)
  next.say({ status: 'playing' })
  await next.steady.advance(320)
  expect(await next.worstDriftOver(2_000)).toBeLessThan(25)
})

test('[R27] a seek during which nothing arrives is not taken for the usual', async () => {
  const set = await playing({ seekLatencyMs: () => 50 })
  set.say({ positionMs: 0 })
  await set.steady.advance(3_000)
  set.media.bufferUntil(50_000)
  set.say({ positionMs: 60_000 })
  await set.steady.advance(3_000)
  set.media.bufferUntil(Number.POSITIVE_INFINITY)
  await set.steady.advance(2_000)
  set.say({ positionMs: 120_000 })
  await set.steady.advance(1_000)
  expect(Math.abs(set.driftMs())).toBeLessThan(60)
})

describe('a player with difficulties', () => {
  test('[R27] says when it stalls, then that it is ready, and catches up', async () => {
    const set = await playing()
    set.media.bufferUntil(set.media.positionMs() + 500)
    await set.steady.advance(3_000)
    expect(set.told).toEqual(['ready', 'stalled'])
    set.media.bufferUntil(Number.POSITIVE_INFINITY)
    await set.steady.advance(15_000)
    expect(set.told).toEqual(['ready', 'stalled', 'ready'])
    expect(Math.abs(set.driftMs())).toBeLessThan(15)
  })

  test('[R27] the room waits for it: it is moved to where the room goes on', async () => {
    const set = await playing()
    set.media.bufferUntil(set.media.positionMs() + 200)
    await set.steady.advance(1_000)
    set.say({ status: 'waiting', positionMs: set.roomMs() }, 0)
    await set.steady.advance(500)
    expect(set.media.element.paused).toBe(true)
    set.media.bufferUntil(Number.POSITIVE_INFINITY)
    await set.steady.advance(500)
    expect(set.told.at(-1)).toBe('ready')
    expect(Math.abs(set.driftMs())).toBeLessThanOrEqual(20)
  })

  test('[R27] a hiccup is not reported, and a new connection is told again', async () => {
    const set = await playing()
    const at = set.media.positionMs()
    set.media.bufferUntil(at + 50)
    await set.steady.advance(200)
    set.media.bufferUntil(Number.POSITIVE_INFINITY)
    await set.steady.advance(1_000)
    expect(set.told).toEqual(['ready'])
    set.playback.reconnected()
    await set.steady.advance(200)
    expect(set.told).toEqual(['ready', 'ready'])
  })

  test('[R27] is not ready before the browser lets it play; after the click it is', async () => {
    const set = await prepare({ needsGesture: true })
    expect(set.gestures).toEqual([true])
    expect(set.told).toEqual([])
    set.media.gesture()
    await set.playback.allow()
    await set.steady.advance(500)
    expect(set.gestures).toEqual([true, false])
    expect(set.told).toEqual(['ready'])
    expect(set.media.element.paused).toBe(true)
    set.say({ status: 'playing' })
    await set.steady.advance(3_000)
    expect(Math.abs(set.driftMs())).toBeLessThan(15)
  })

  test('[R27] says again that it is ready while the room waits for everyone', async () => {
    const set = await prepare()
    await set.steady.advance(7_000)
    expect(set.told).toEqual(['ready', 'ready', 'ready'])
  })

  test('[R27] a click that comes after the start catches up with the room', async () => {
    const set = await prepare({ needsGesture: true })
    set.say({ status: 'playing' })
    await set.steady.advance(20_000)
    expect(set.media.counts.plays).toBe(1)
    set.media.gesture()
    await set.playback.allow()
    await set.steady.advance(10_000)
    expect(Math.abs(set.driftMs())).toBeLessThan(15)
  })

  test('[R27] plays again what a media key has paused', async () => {
    const set = await playing()
    set.media.pauseFromOutside()
    await set.steady.advance(8_000)
    expect(set.media.element.paused).toBe(false)
    expect(Math.abs(set.driftMs())).toBeLessThan(15)
  })
})

describe('reports and the end', () => {
  test('[R27] the drift is reported every five seconds, and never while seeking', async () => {
    const set = await playing()
    await set.steady.advance(28_000)
    expect(set.reports.length).toBeGreaterThanOrEqual(5)
    expect(set.reports.length).toBeLessThanOrEqual(6)
    for (const { driftMs, rttMs } of set.reports) {
      expect(Math.abs(driftMs)).toBeLessThan(40)
      expect(rttMs).toBe(20)
    }
  })

  test('[R27] ratings take the position of the room, unless this player is elsewhere', async () => {
    const set = await playing()
    expect(Math.abs(set.playback.positionMs() - set.roomMs())).toBeLessThan(0.5)
    set.media.bufferUntil(set.media.positionMs())
    await set.steady.advance(4_000)
    expect(set.playback.positionMs()).toBeCloseTo(set.media.positionMs(), 0)
  })

  test('[R27] the end: the last frames are played, and it is said once', async () => {
    const set = await playing({ durationMs: 10_000 })
    await set.steady.advance(6_500)
    set.say({ status: 'ended', positionMs: 10_000 }, 0)
    await set.steady.advance(3_000)
    expect(set.media.element.ended).toBe(true)
    expect(set.ends()).toBe(1)
  })

  test('[R27] the end comes for a player that is stuck, too', async () => {
    const set = await playing({ durationMs: 10_000 })
    set.media.bufferUntil(4_000)
    await set.steady.advance(7_000)
    set.say({ status: 'ended', positionMs: 10_000 }, 0)
    await set.steady.advance(200)
    expect(set.ends()).toBe(1)
    expect(set.media.element.paused).toBe(true)
  })

  test('close leaves nothing behind', async () => {
    const set = await playing({ hasFrames: true })
    set.playback.close()
    expect(set.media.listenerCount()).toBe(0)
    const plays = set.media.counts.plays
    set.media.pauseFromOutside()
    await set.steady.advance(5_000)
    expect(set.media.counts.plays).toBe(plays)
  })
})

/** Numbers in [0, 1) that are the same in every run. */
function sequence(seed: number): () => number {
  let value = seed
  return () => {
    value = (value * 48_271) % 2_147_483_647
    return value / 2_147_483_647
  }
}

const device = fc.record({
  startMs: fc.integer({ min: 0, max: 400 }),
  seekMs: fc.integer({ min: 5, max: 900 }),
  jitterMs: fc.integer({ min: 0, max: 15 }),
  ppm: fc.integer({ min: -200, max: 200 }),
  hasFrames: fc.boolean(),
})
const happening = fc.oneof(
  fc.record({ kind: fc.constant('seek' as const), toMs: fc.integer({ min: 0, max: 300_000 }) }),
  fc.record({ kind: fc.constant('pause' as const), forMs: fc.integer({ min: 0, max: 5_000 }) }),
  fc.record({ kind: fc.constant('stall' as const), forMs: fc.integer({ min: 0, max: 6_000 }) }),
  fc.record({ kind: fc.constant('calm' as const), forMs: fc.integer({ min: 0, max: 5_000 }) }),
)

test('[R27] whatever happens on whatever device, after half a minute of calm it is in step', async () => {
  await fc.assert(
    fc.asyncProperty(device, fc.array(happening, { maxLength: 4 }), async (one, happenings) => {
      const random = sequence(one.startMs + 17)
      const set = await playing({
        startLatencyMs: () => one.startMs,
        seekLatencyMs: () => one.seekMs * (0.8 + 0.4 * random()),
        jitterMs: () => (random() - 0.5) * one.jitterMs,
        speed: 1 + one.ppm * 1e-6,
        hasFrames: one.hasFrames,
      })
      for (const event of happenings) {
        if (event.kind === 'seek') set.say({ positionMs: event.toMs })
        else if (event.kind === 'pause') {
          set.say({ status: 'paused', positionMs: set.roomMs() + 300 })
          await set.steady.advance(event.forMs + 400)
          set.say({ status: 'playing' })
        } else if (event.kind === 'stall') {
          set.media.bufferUntil(set.media.positionMs() + 100)
          await set.steady.advance(event.forMs)
          set.media.bufferUntil(Number.POSITIVE_INFINITY)
        } else await set.steady.advance(event.forMs)
        await set.steady.advance(400)
      }
      await set.steady.advance(30_000)
      const seeks = set.media.counts.seeks
      expect(await set.worstDriftOver(5_000)).toBeLessThan(55)
      expect(set.media.counts.seeks).toBe(seeks)
      set.playback.close()
    }),
    { numRuns: 25 },
  )
})
