import type { DryRunArrivals } from '@atrium/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { quota, settingsOf } from '../proposal/test/crowd.ts'
import { anySettings } from '../proposal/test/timeline.ts'
import { drawArrivals } from './draw-arrivals.ts'
import { simulateMatching, summariseWaits } from './simulate-matching.ts'

const run = (settings: Parameters<typeof settingsOf>[0], arrivals: DryRunArrivals, seed = 'seed') =>
  simulateMatching({ settings: settingsOf(settings), arrivals, seed })
const none = { endedByDeadline: 0, screenedOut: 0, left: 0, stillWaiting: 0 }

describe('a dry run', () => {
  test('[M20] people who arrive evenly wait until the rest of their group has arrived', () => {
    const result = run({ min: 3, max: 3 }, { people: 7, perMinute: 60, pattern: 'even' })
    expect(result).toMatchObject({
      people: { arrived: 7, matched: 6, ...none, stillWaiting: 1 },
      groups: { total: 2, full: 2, short: 0, withAgents: 0 },
      groupSizes: [{ people: 3, groups: 2 }],
      waitMs: { p50: 1_000, p90: 2_000, p99: 2_000, max: 2_000, mean: 1_000 },
      durationMs: 6_000,
      stoppedEarly: false,
    })
    expect(result.histogram.reduce((sum, { people }) => sum + people, 0)).toBe(6)
  })

  test('[M20] everyone at once is matched at once', () => {
    const result = run({ min: 4, max: 4 }, { people: 2_000, pattern: 'all_at_once' })
    expect(result).toMatchObject({ groups: { total: 500 }, waitMs: { max: 0 } })
  })

  test('[M20] deadlines and their policies apply', () => {
    const late = { min: 3, max: 3, deadlineMs: 500 }
    const slow: DryRunArrivals = { people: 4, perMinute: 60, pattern: 'even' }
    expect(run({ ...late, onDeadline: 'end_paid' }, slow).people).toEqual({
      ...none,
      arrived: 4,
      matched: 0,
      endedByDeadline: 4,
    })
    expect(run({ ...late, onDeadline: 'fill_with_agent' }, slow)).toMatchObject({
      groups: { total: 4, full: 0, withAgents: 4 },
      waitMs: { max: 500 },
    })
    expect(run({ ...late, deadlineMs: 1_500, onDeadline: 'start_short' }, slow).groups).toEqual({
      total: 2,
      full: 0,
      short: 2,
      withAgents: 0,
    })
  })

  test('[M20] people leave when their patience is over, and are screened out by their attributes', () => {
    const impatient: DryRunArrivals = { people: 200, perMinute: 1, leaveAfterMs: 1_000 }
    expect(run({ min: 5, max: 5 }, impatient).people).toMatchObject({ matched: 0, left: 200 })
    const filters = [{ attribute: 'age', min: 18 }]
    const { people } = run({ filters }, { people: 200, attributes: { age: { 17: 1, 40: 3 } } })
    expect(people.screenedOut).toBeGreaterThan(20)
    expect(people.screenedOut).toBeLessThan(90)
  })

  test('[M20] the same seed gives the same result, a different seed a different one', () => {
    const arrivals: DryRunArrivals = { people: 50, leaveAfterMs: 60_000 }
    expect(run({}, arrivals, 'a')).toEqual(run({}, arrivals, 'a'))
    expect(run({}, arrivals, 'a')).not.toEqual({ ...run({}, arrivals, 'b'), seed: 'a' })
  })

  test('[M20] everyone is counted once', () => {
    const anyArrivals: fc.Arbitrary<DryRunArrivals> = fc.record(
      {
        people: fc.integer({ min: 1, max: 60 }),
        perMinute: fc.integer({ min: 1, max: 10_000 }),
        pattern: fc.constantFrom('poisson', 'even', 'all_at_once'),
        attributes: fc.constant({ team: { x: 1, y: 2 }, age: { 16: 1, 18: 3 } }),
        leaveAfterMs: fc.integer({ min: 1, max: 10_000 }),
      },
      { requiredKeys: ['people'] },
    )
    fc.assert(
      fc.property(anySettings, anyArrivals, fc.string(), (settings, arrivals, seed) => {
        const { people, groups, groupSizes, histogram } = simulateMatching({ settings, arrivals, seed })
        const { arrived, ...ways } = people
        expect(Object.values(ways).reduce((sum, count) => sum + count)).toBe(arrived)
        expect(arrived).toBe(arrivals.people)
        expect(groupSizes.reduce((sum, size) => sum + size.groups, 0)).toBe(groups.total)
        expect(groupSizes.reduce((sum, size) => sum + size.groups * size.people, 0)).toBe(people.matched)
        expect(histogram.reduce((sum, bin) => sum + bin.people, 0)).toBe(people.matched)
      }),
    )
  })

  test('[M21] stops, and says so, when ever more people wait without success', () => {
    const settings = settingsOf({ roles: [quota('buyer', 1), quota('seller', 1)] })
    const arrivals = { people: 20_000, roles: { buyer: 1 } }
    const result = simulateMatching({ settings, arrivals, seed: 'seed', maxLooks: 50_000 })
    expect(result.stoppedEarly).toBe(true)
    expect(result.people.stillWaiting).toBe(result.people.arrived)
    expect(result.people.arrived).toBeLessThan(1_000)
  })
})

describe('arrivals', () => {
  const timesOf = (arrivals: DryRunArrivals) =>
    drawArrivals(arrivals, 'seed', settingsOf()).map(({ arrivedAt }) => arrivedAt)

  test('[M20] come at the requested pace', () => {
    const last = timesOf({ people: 5_000, perMinute: 60 }).at(-1) ?? 0
    expect(last / 5_000).toBeGreaterThan(900)
    expect(last / 5_000).toBeLessThan(1_100)
  })

  test('[M20] are the same people at the same times, whatever else is drawn', () => {
    const people = 20
    expect(timesOf({ people, attributes: { team: { x: 1, y: 1 } }, leaveAfterMs: 9 })).toEqual(
      timesOf({ people }),
    )
  })

  test('[M20] have roles and values in proportion; what reads as a number is one', () => {
    const drawn = drawArrivals(
      { people: 1_000, roles: { buyer: 9, seller: 1 }, attributes: { a: { 1: 1, true: 1, x: 1 } } },
      's',
      settingsOf({ balance: ['a'] }),
    )
    const sellers = drawn.filter(({ role }) => role === 'seller').length
    expect(sellers).toBeGreaterThan(60)
    expect(sellers).toBeLessThan(140)
    expect(new Set(drawn.map(({ attributes }) => attributes.a))).toEqual(new Set([1, true, 'x']))
  })
})

test('[M20] quantiles are by nearest rank, and bins have equal widths', () => {
  const { waitMs, histogram } = summariseWaits(Array.from({ length: 100 }, (_, index) => index + 1))
  expect(waitMs).toEqual({ p50: 50, p90: 90, p99: 99, max: 100, mean: 51 })
  expect(new Set(histogram.map(({ fromMs, toMs }) => toMs - fromMs)).size).toBe(1)
  expect(summariseWaits([])).toEqual({ waitMs: null, histogram: [] })
})
