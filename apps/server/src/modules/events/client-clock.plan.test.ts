import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { seeded } from '../../../test/seed.ts'
import { boundsAfter, estimateOf, isImplausibleTime, unknownClock } from './client-clock.plan.ts'

const hourMs = 3_600_000
const delay = fc.integer({ min: 0, max: 2_000 })
const offset = fc.integer({ min: -25 * hourMs, max: 25 * hourMs })

/** Somebody whose clock is off reacts to what they have seen; each reaction takes some time to arrive. */
const reactions = fc.array(fc.record({ reactionMs: delay, tripMs: delay, gapMs: delay }), {
  minLength: 1,
  maxLength: 20,
})

function played(
  steps: { reactionMs: number; tripMs: number; gapMs: number }[],
  offsetMs: number,
  from = 1_000,
) {
  let now = from
  return steps.map(({ reactionMs, tripMs, gapMs }) => {
    const seenAt = now
    const clientTime = now + reactionMs - offsetMs
    now += reactionMs + tripMs + gapMs
    return { seenAt, clientTime, receivedAt: now - gapMs }
  })
}

describe('[E40] The estimate of a participant’s clock', () => {
  test('never claims to be better than it is', () => {
    fc.assert(
      fc.property(reactions, offset, (steps, offsetMs) => {
        let bounds = unknownClock
        for (const moment of played(steps, offsetMs)) {
          bounds = boundsAfter(bounds, moment)
          const { clockOffsetMs, clockErrorMs } = estimateOf(bounds, moment)
          expect(Math.abs((clockOffsetMs ?? Number.NaN) - offsetMs)).toBeLessThanOrEqual(
            clockErrorMs ?? Number.NaN,
          )
        }
      }),
      seeded,
    )
  })

  test('begins anew when somebody sets their clock forward by a day and an hour', () => {
    const [before] = played([{ reactionMs: 500, tripMs: 20, gapMs: 0 }], 0)
    const [after] = played([{ reactionMs: 700, tripMs: 30, gapMs: 0 }], -25 * hourMs, 60_000)
    if (!before || !after) throw new Error('nothing was played')
    const bounds = boundsAfter(boundsAfter(unknownClock, before), after)
    expect(estimateOf(bounds, after)).toEqual({ clockOffsetMs: -25 * hourMs + 30, clockErrorMs: 730 })
  })

  test('begins anew when somebody sets their clock back, whatever their page had measured before', () => {
    fc.assert(
      fc.property(
        reactions,
        reactions,
        fc.integer({ min: 4_001, max: 25 * hourMs }),
        (one, other, backMs) => {
          const before = { offsetMs: 0, errorMs: 5 }
          const moments = [
            ...played(one, 0).map((moment) => ({ ...moment, reported: before })),
            // Until it has noticed, the page reports what it measured.
            ...played(other, backMs, 100_000).map((moment) => ({ ...moment, reported: before })),
          ]
          let bounds = unknownClock
          for (const moment of moments) {
            bounds = boundsAfter(bounds, moment)
            const { clockOffsetMs, clockErrorMs } = estimateOf(bounds, moment)
            const offsetMs = moment.receivedAt < 100_000 ? 0 : backMs
            expect(Math.abs((clockOffsetMs ?? Number.NaN) - offsetMs)).toBeLessThanOrEqual(
              clockErrorMs ?? Number.NaN,
            )
          }
        },
      ),
      seeded,
    )
  })

  test('begins anew with what a page measures after its clock was set, also where it reacts to nothing', () => {
    const sessionStartedAt = 100_000
    const before = { sessionStartedAt, clientTime: 100_400, receivedAt: 100_420 }
    const reported = { offsetMs: hourMs, errorMs: 8 }
    const after = { sessionStartedAt, clientTime: 101_000 - hourMs, receivedAt: 101_030, reported }
    const bounds = boundsAfter(boundsAfter(unknownClock, before), after)
    expect(bounds).toEqual({ lowMs: hourMs - 8, highMs: hourMs + 8 })
    const later = { sessionStartedAt, clientTime: 102_000 - hourMs, receivedAt: 102_025 }
    expect(estimateOf(boundsAfter(bounds, later), later)).toEqual({
      clockOffsetMs: hourMs + 8,
      clockErrorMs: 16,
    })
  })

  test('does not take an answer that waited on the device since an earlier session for a clock that was set', () => {
    const fresh = { sessionStartedAt: 100_000, clientTime: 100_400, receivedAt: 100_420 }
    const old = { sessionStartedAt: 100_000, clientTime: 40_000, receivedAt: 100_500 }
    const bounds = boundsAfter(boundsAfter(unknownClock, fresh), old)
    expect(estimateOf(bounds, old)).toEqual({ clockOffsetMs: 20, clockErrorMs: 420 })
  })

  test('is what the page has measured, unless that would have it received before it happened', () => {
    const moment = { clientTime: 10_000, receivedAt: 10_050 }
    const bounds = boundsAfter(unknownClock, moment)
    const told = (offsetMs: number, errorMs: number) =>
      estimateOf(bounds, { ...moment, reported: { offsetMs, errorMs } })
    expect(told(-3.4, 1.2)).toEqual({ clockOffsetMs: -3, clockErrorMs: 2 })
    expect(told(5_000, 20)).toEqual({ clockOffsetMs: 50, clockErrorMs: null })
  })
})

test('[E41] a response time cannot be negative, longer than there was time for, or shorter than to the first interaction', () => {
  expect(isImplausibleTime({ responseTime: 5_000, firstInteractionMs: 800 }, 6_000)).toBe(false)
  expect(isImplausibleTime({ responseTime: 6_900 }, 6_000)).toBe(false)
  expect(isImplausibleTime({ responseTime: 90_000_000 }, 6_000)).toBe(true)
  expect(isImplausibleTime({ responseTime: -1 }, 6_000)).toBe(true)
  expect(isImplausibleTime({ responseTime: 100, firstInteractionMs: 4_000 }, 6_000)).toBe(true)
  expect(isImplausibleTime({ value: 'without any' } as object, 6_000)).toBe(false)
})
