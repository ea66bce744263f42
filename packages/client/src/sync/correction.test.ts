import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { correctionFor, type Latencies, learnt, usualLatencies } from './correction.ts'

const calm = { isAligning: false, maySeek: true, latencies: usualLatencies }
const kindAt = (driftMs: number, circumstances: Partial<typeof calm> = {}): string =>
  correctionFor(driftMs, { ...calm, ...circumstances }).kind

describe('how a player gets back into step', () => {
  test.each([
    [0, 'none'],
    [25, 'none'],
    [26, 'nudge'],
    [-250, 'nudge'],
    [-300, 'seek'],
    [600, 'seek'],
    [-5_000, 'seek'],
  ])('[R27] %i ms on an ordinary device: %s', (driftMs, kind) => {
    expect(kindAt(driftMs)).toBe(kind)
  })

  test('[R27] a device that seeks slowly or unevenly is nudged, unless that would take too long', () => {
    const uneven = { ...usualLatencies, seekOffMs: 500 }
    expect(kindAt(-500, { latencies: uneven })).toBe('nudge')
    expect(kindAt(-700, { latencies: uneven })).toBe('seek')
    const slow = { ...usualLatencies, seekMs: 3_000 }
    expect(kindAt(-260, { latencies: slow })).toBe('nudge')
    expect(kindAt(-300, { latencies: slow })).toBe('seek')
    expect(kindAt(-1_001, { latencies: { ...slow, seekOffMs: 3_000 } })).toBe('seek')
  })

  test('[R27] soon after a seek there is no other one; the player is nudged', () => {
    for (const driftMs of [-300, 900, 5_000]) expect(kindAt(driftMs, { maySeek: false })).toBe('nudge')
  })

  test('[R27] a larger drift never gets a gentler correction, and a nudge always reduces it', () => {
    const strength = { none: 0, nudge: 1, seek: 2 }
    const drift = fc.double({ min: -10_000, max: 10_000, noNaN: true })
    const duration = fc.double({ min: 0, max: 3_000, noNaN: true })
    const circumstances = fc.record({
      isAligning: fc.boolean(),
      maySeek: fc.boolean(),
      latencies: fc.record({
        startMs: duration,
        hasStarted: fc.boolean(),
        seekMs: duration,
        seekOffMs: duration,
        seeks: fc.constant([]),
      }),
    })
    fc.assert(
      fc.property(drift, fc.double({ min: 1, max: 3, noNaN: true }), circumstances, (driftMs, times, now) => {
        const correction = correctionFor(driftMs, now)
        const stronger = correctionFor(driftMs * times, now)
        expect(strength[stronger.kind]).toBeGreaterThanOrEqual(strength[correction.kind])
        if (correction.kind !== 'nudge') return
        expect(Math.sign(1 - correction.factor)).toBe(Math.sign(driftMs))
        expect(Math.abs(1 - correction.factor)).toBeLessThanOrEqual(0.05 + 1e-9)
      }),
    )
  })
})

describe('what a player learns about its device', () => {
  const seeking = (latencies: Latencies, tookMs: number): Latencies =>
    learnt(latencies, 'seekMs', latencies.seekMs - tookMs, 1)

  test('[R27] the first seek counts in full, of later ones the middle one', () => {
    const once = seeking(usualLatencies, 700)
    expect(once).toMatchObject({ seekMs: 700, seekOffMs: usualLatencies.seekOffMs })
    const twice = seeking(once, 600)
    expect(twice).toMatchObject({ seekMs: 600, seekOffMs: 100 })
    expect(seeking(twice, 3_000)).toMatchObject({ seekMs: 700 })
  })

  test('[R27] the first start counts in full, later ones by half', () => {
    const starting = (latencies: Latencies, tookMs: number): Latencies =>
      learnt(latencies, 'startMs', latencies.startMs - tookMs, 1)
    const once = starting(usualLatencies, 300)
    expect(once).toMatchObject({ startMs: 300, hasStarted: true })
    expect(starting(once, 200).startMs).toBe(250)
  })

  test('[R27] how far off seeks are is learnt, and forgotten again', () => {
    let latencies = seeking(usualLatencies, 300)
    for (const tookMs of [1_500, 100, 1_800, 200]) latencies = seeking(latencies, tookMs)
    expect(latencies.seekOffMs).toBeGreaterThan(500)
    for (let seek = 0; seek < 8; seek++) latencies = seeking(latencies, 300)
    expect(latencies.seekOffMs).toBeLessThan(20)
  })

  test('[R27] nothing is ever learnt to take less than no time or more than three seconds', () => {
    const drift = fc.double({ min: -1e6, max: 1e6, noNaN: true })
    fc.assert(
      fc.property(
        fc.array(drift, { maxLength: 10 }),
        fc.constantFrom('startMs', 'seekMs'),
        (drifts, kind) => {
          const latencies = drifts.reduce<Latencies>(
            (known, one) => learnt(known, kind, one, 1),
            usualLatencies,
          )
          expect(latencies[kind]).toBeGreaterThanOrEqual(0)
          expect(latencies[kind]).toBeLessThanOrEqual(3_000)
        },
      ),
    )
  })
})
