import { describe, expect, test } from 'vitest'
import { playingPlayer, preparedPlayer, sequence, setUpPlayer } from '../test/set-up-player.ts'

describe('a player that follows the room', () => {
  test('[R27] tells the room once that it is ready, and starts at the scheduled moment', async () => {
    const set = await preparedPlayer()
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
    const set = await playingPlayer({
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
    const set = await playingPlayer()
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
    const set = await playingPlayer({ seekLatencyMs: () => 700 })
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
    const set = await playingPlayer({ seekLatencyMs: () => 2_500 + random() * 5_000 })
    set.say({ positionMs: 100_000 })
    const before = set.media.counts.seeks
    await set.steady.advance(120_000)
    expect(set.media.counts.seeks - before).toBeLessThan(12)
  })

  test('[R27] a late joiner starts where the room is', async () => {
    const set = setUpPlayer()
    set.say({ status: 'playing', positionMs: 90_000 }, -5_000)
    await set.steady.advance(4_000)
    expect(Math.abs(set.driftMs())).toBeLessThan(60)
    await set.steady.advance(5_000)
    expect(Math.abs(set.driftMs())).toBeLessThan(15)
  })

  test('[R27] everybody pauses at the same frame and goes on from it', async () => {
    const set = await playingPlayer({ startLatencyMs: () => 120 })
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
    const set = setUpPlayer()
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
    const set = await playingPlayer()
    set.say({ rate: 1.5, positionMs: set.roomMs() + 300 })
    await set.steady.advance(10_000)
    expect(set.media.element.playbackRate).toBeCloseTo(1.5, 6)
    expect(Math.abs(set.driftMs())).toBeLessThan(20)
  })
})

describe('a player with difficulties', () => {
  test('[R27] says when it stalls, then that it is ready, and catches up', async () => {
    const set = await playingPlayer()
    set.media.bufferUntil(set.media.positionMs() + 500)
    await set.steady.advance(3_000)
    expect(set.told).toEqual(['ready', 'stalled'])
    set.media.bufferUntil(Number.POSITIVE_INFINITY)
    await set.steady.advance(15_000)
    expect(set.told).toEqual(['ready', 'stalled', 'ready'])
    expect(Math.abs(set.driftMs())).toBeLessThan(15)
  })

  test('[R27] the room waits for it: it is moved to where the room goes on', async () => {
    const set = await playingPlayer()
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
    const set = await playingPlayer()
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
    const set = await preparedPlayer({ needsGesture: true })
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
    const set = await preparedPlayer()
    await set.steady.advance(7_000)
    expect(set.told).toEqual(['ready', 'ready', 'ready'])
  })

  test('[R27] a click that comes after the start catches up with the room', async () => {
    const set = await preparedPlayer({ needsGesture: true })
    set.say({ status: 'playing' })
    await set.steady.advance(20_000)
    expect(set.media.counts.plays).toBe(1)
    set.media.gesture()
    await set.playback.allow()
    await set.steady.advance(10_000)
    expect(Math.abs(set.driftMs())).toBeLessThan(15)
  })

  test('[R27] plays again what a media key has paused', async () => {
    const set = await playingPlayer()
    set.media.pauseFromOutside()
    await set.steady.advance(8_000)
    expect(set.media.element.paused).toBe(false)
    expect(Math.abs(set.driftMs())).toBeLessThan(15)
  })
})

describe('reports and the end', () => {
  test('[R27] the drift is reported every five seconds, and never while seeking', async () => {
    const set = await playingPlayer()
    await set.steady.advance(28_000)
    expect(set.reports.length).toBeGreaterThanOrEqual(5)
    expect(set.reports.length).toBeLessThanOrEqual(6)
    for (const { driftMs, rttMs } of set.reports) {
      expect(Math.abs(driftMs)).toBeLessThan(40)
      expect(rttMs).toBe(20)
    }
  })

  test('[R27] ratings take the position of the room, unless this player is elsewhere', async () => {
    const set = await playingPlayer()
    expect(Math.abs(set.playback.positionMs() - set.roomMs())).toBeLessThan(0.5)
    set.media.bufferUntil(set.media.positionMs())
    await set.steady.advance(4_000)
    expect(set.playback.positionMs()).toBeCloseTo(set.media.positionMs(), 0)
  })

  test('[R27] the end: the last frames are played, and it is said once', async () => {
    const set = await playingPlayer({ durationMs: 10_000 })
    await set.steady.advance(6_500)
    set.say({ status: 'ended', positionMs: 10_000 }, 0)
    await set.steady.advance(3_000)
    expect(set.media.element.ended).toBe(true)
    expect(set.ends()).toBe(1)
  })

  test('[R27] the end comes for a player that is stuck, too', async () => {
    const set = await playingPlayer({ durationMs: 10_000 })
    set.media.bufferUntil(4_000)
    await set.steady.advance(7_000)
    set.say({ status: 'ended', positionMs: 10_000 }, 0)
    await set.steady.advance(200)
    expect(set.ends()).toBe(1)
    expect(set.media.element.paused).toBe(true)
  })

  test('close leaves nothing behind', async () => {
    const set = await playingPlayer({ hasFrames: true })
    set.playback.close()
    expect(set.media.listenerCount()).toBe(0)
    const plays = set.media.counts.plays
    set.media.pauseFromOutside()
    await set.steady.advance(5_000)
    expect(set.media.counts.plays).toBe(plays)
  })
})
