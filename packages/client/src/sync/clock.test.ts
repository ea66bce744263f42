import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createVirtualClock } from '../test/virtual-clock.ts'
import { type ClockSample, estimateAt, sampleOf, withSample } from './clock.ts'
import { createSyncedClock } from './synced-clock.ts'

const delay = fc.double({ min: 0, max: 300, noNaN: true })
const trip = fc.record({ thereMs: delay, backMs: delay, gapMs: fc.double({ min: 1, max: 500, noNaN: true }) })

/** Plays pings over a network with these delays, against a server that is ahead and runs at its own speed. */
function measure(
  trips: readonly { thereMs: number; backMs: number; gapMs: number }[],
  aheadMs: number,
  ppm = 0,
) {
  const serverAt = (localMs: number) => localMs + aheadMs + (localMs - 1_000) * ppm * 1e-6
  let samples: ClockSample[] = []
  let localMs = 1_000
  let jumps = 0
  for (const { thereMs, backMs, gapMs } of trips) {
    const t0 = localMs
    const t1 = serverAt(t0 + thereMs)
    const t3 = t0 + thereMs + backMs
    const sample = sampleOf({ t0, t1, t2: t1 }, t3)
    if (!sample) throw new Error('a true pong was refused')
    const news = withSample(samples, sample)
    samples = news.samples
    if (news.hasJumped) jumps++
    localMs = t3 + gapMs
  }
  const estimate = estimateAt(samples, localMs)
  const errorMs = Math.abs((estimate?.offsetMs ?? Number.NaN) - (serverAt(localMs) - localMs))
  return { estimate, errorMs, jumps, bestRttMs: Math.min(...trips.map((one) => one.thereMs + one.backMs)) }
}

const rounding = 1e-3

describe('the estimate of server time', () => {
  test('[R27] is off by at most half of the best round trip, however lopsided the network is', () => {
    fc.assert(
      fc.property(
        fc.array(trip, { minLength: 1, maxLength: 16 }),
        fc.integer({ min: -1e12, max: 1e12 }),
        (trips, aheadMs) => {
          const { estimate, errorMs, bestRttMs, jumps } = measure(trips, aheadMs)
          expect(jumps).toBe(0)
          expect(errorMs).toBeLessThanOrEqual((estimate?.uncertaintyMs ?? 0) + rounding)
          // Beside it, what the clocks may have drifted since: a tenth of a millisecond per second.
          const ageMs = trips.reduce((sum, { thereMs, backMs, gapMs }) => sum + thereMs + backMs + gapMs, 0)
          expect(errorMs).toBeLessThanOrEqual(bestRttMs / 2 + ageMs * 1e-4 + rounding)
        },
      ),
    )
  })

  test('[R27] combines the quickest ping with the quickest pong', () => {
    const { errorMs } = measure(
      [
        { thereMs: 5, backMs: 95, gapMs: 1 },
        { thereMs: 80, backMs: 6, gapMs: 1 },
      ],
      1e9,
    )
    expect(errorMs).toBeLessThan(1)
  })

  test('[R27] follows a clock that drifts, and takes no drift for a jump', () => {
    fc.assert(
      fc.property(
        fc.array(trip, { minLength: 60, maxLength: 60 }),
        fc.double({ min: -90, max: 90, noNaN: true }),
        (trips, ppm) => {
          const apart = trips.map((one) => ({ ...one, gapMs: 10_000 }))
          const { estimate, errorMs, jumps } = measure(apart, 5e11, ppm)
          expect(jumps).toBe(0)
          expect(errorMs).toBeLessThanOrEqual((estimate?.uncertaintyMs ?? 0) + rounding)
        },
      ),
      { numRuns: 50 },
    )
  })

  test('[R27] begins anew when a clock has jumped', () => {
    const before = sampleOf({ t0: 0, t1: 1_005, t2: 1_005 }, 10)
    const after = sampleOf({ t0: 100, t1: 9_105, t2: 9_105 }, 110)
    if (!before || !after) throw new Error('unsound')
    const { samples, hasJumped } = withSample([before], after)
    expect(hasJumped).toBe(true)
    expect(estimateAt(samples, 110)?.offsetMs).toBeCloseTo(9_000, 6)
  })

  test('[R27] refuses pongs that cannot be true', () => {
    expect(sampleOf({ t0: 10, t1: 5, t2: 4 }, 20)).toBeUndefined()
    expect(sampleOf({ t0: 10, t1: 5, t2: 50 }, 20)).toBeUndefined()
    expect(sampleOf({ t0: 10, t1: Number.NaN, t2: 5 }, 20)).toBeUndefined()
    expect(estimateAt([], 0)).toBeUndefined()
  })
})

describe('the synchronised clock', () => {
  function setUp({ aheadMs = 7e11, delayMs = () => 10 }: { aheadMs?: number; delayMs?: () => number } = {}) {
    const steady = createVirtualClock()
    const server = { aheadMs, isSilent: false }
    const pings: number[] = []
    let pongs = 0
    const synced = createSyncedClock({
      steady,
      ping(t0, onPong) {
        pings.push(t0)
        if (server.isSilent) return
        steady.after(delayMs(), () => {
          const t1 = steady.now() + server.aheadMs
          steady.after(delayMs(), () => onPong({ t0, t1, t2: t1 }))
        })
      },
      onPong: () => pongs++,
    })
    const errorMs = () => Math.abs((synced.clock.serverNow() ?? Number.NaN) - steady.now() - server.aheadMs)
    return { steady, server, pings, synced, errorMs, pongs: () => pongs }
  }

  test('[R27] measures eight times at first, then twice every ten seconds', async () => {
    const { steady, pings, synced, errorMs } = setUp()
    expect(synced.clock.serverNow()).toBeUndefined()
    synced.start()
    await steady.advance(5_000)
    expect(pings).toHaveLength(8)
    expect(errorMs()).toBeLessThan(0.01)
    await steady.advance(10_000)
    expect(pings).toHaveLength(10)
    synced.stop()
    await steady.advance(60_000)
    expect(pings).toHaveLength(10)
  })

  test('[R27] goes on when pings are lost, and answers that are nonsense count for nothing', async () => {
    const { steady, server, synced, pings, pongs } = setUp()
    server.isSilent = true
    synced.start()
    await steady.advance(10_000)
    expect(pongs()).toBe(0)
    expect(pings.length).toBeGreaterThan(3)
    server.isSilent = false
    await steady.advance(30_000)
    expect(synced.clock.estimate?.rttMs).toBeCloseTo(20, 6)
  })

  test('[R27] measures at once after the computer slept', async () => {
    const { steady, server, synced, errorMs, pings } = setUp()
    synced.start()
    await steady.advance(2_000)
    const before = pings.length
    steady.sleep(60_000)
    server.aheadMs += 60_000
    expect(errorMs()).toBeCloseTo(60_000, 0)
    await steady.advance(1_000)
    expect(pings.length).toBeGreaterThan(before + 7)
    expect(errorMs()).toBeLessThan(0.1)
  })

  test('[R27] keeps its time across a reconnect, until another server is measured as well', async () => {
    const { steady, server, synced, errorMs } = setUp()
    synced.start()
    await steady.advance(2_000)
    synced.stop()
    await steady.advance(3_000)
    expect(errorMs()).toBeLessThan(0.1)
    server.aheadMs += 40
    synced.start()
    await steady.advance(60)
    expect(errorMs()).toBeGreaterThan(39)
    await steady.advance(2_000)
    expect(errorMs()).toBeLessThan(0.1)
  })
})
