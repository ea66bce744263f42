import fc from 'fast-check'
import { expect, test } from 'vitest'
import { playingPlayer, sequence, setUpPlayer } from '../test/set-up-player.ts'
import { unknownDevice } from './correction.ts'

test('[R27] how long starting takes is found out before the room starts, and known for the next video', async () => {
  const startLatencyMs = () => 240
  const device = unknownDevice()
  const first = setUpPlayer({ startLatencyMs }, device)
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

  const next = setUpPlayer({ startLatencyMs }, device)
  next.say({ status: 'preparing' }, 0)
  await next.steady.advance(2_000)
  expect(next.media.counts.plays).toBe(1)
  next.say({ status: 'playing' })
  await next.steady.advance(320)
  expect(await next.worstDriftOver(2_000)).toBeLessThan(25)
})

test('[R27] a seek during which nothing arrives is not taken for the usual', async () => {
  const set = await playingPlayer({ seekLatencyMs: () => 50 })
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
      const set = await playingPlayer({
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
