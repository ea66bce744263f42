import type { DryRunArrivals } from '@atrium/contract'
import { describe, expect, test } from 'vitest'
import type { WaitingPerson } from '../../../ports/waiting-queue.ts'
import type { MatchingSettings } from '../matching-settings.ts'
import { partsOf } from '../proposal/attributes.ts'
import { propose } from '../proposal/propose.ts'
import { settingsOf } from '../proposal/test/crowd.ts'
import { drawArrivals } from './draw-arrivals.ts'
import { simulateMatching } from './simulate-matching.ts'

const part = (when: string, count: number) => ({ when, count })
const ofSix = settingsOf({
  min: 6,
  max: 6,
  balance: ['gender'],
  compose: [
    part("opinion == 'for'", 2),
    part("opinion == 'against'", 2),
    part('certainty > 6', 1),
    part('true', 1),
  ],
})
const crowd: DryRunArrivals = {
  people: 2_000,
  perMinute: 20,
  attributes: { gender: { f: 1, m: 1 } },
  variables: {
    opinion: { for: 5, against: 3, undecided: 2 },
    certainty: { 1: 1, 3: 2, 5: 2, 7: 1 },
  },
}

/** Whether these people could form a group: for any of its parts together, there are enough who fit one of them. */
function couldStart(people: readonly WaitingPerson[], { compose }: MatchingSettings): boolean {
  for (let some = 1; some < 1 << compose.length; some += 1) {
    const places = compose.reduce((sum, { count }, at) => sum + ((some & (1 << at)) !== 0 ? count : 0), 0)
    if (people.filter((person) => (partsOf(person) & some) !== 0).length < places) return false
  }
  return true
}

describe('2,000 people who arrive one after the other', () => {
  const played = (() => {
    const grouped: { members: WaitingPerson[]; parts: readonly number[] }[] = []
    const couldHaveStarted: number[] = []
    const leftOut: number[] = []
    let waiting: WaitingPerson[] = []
    for (const [index, person] of drawArrivals(crowd, 'seed', ofSix).entries()) {
      waiting.push(person)
      const now = person.arrivedAt
      const { groups } = propose({
        ...{ people: waiting, settings: ofSix, formerPartners: [], now, isClosing: false },
      })
      for (const { members, match } of groups) {
        leftOut.push(...(members[0]?.participantId === waiting[0]?.participantId ? [] : [index]))
        const ids = new Set(members.map(({ participantId }) => participantId))
        grouped.push({
          members: waiting.filter(({ participantId }) => ids.has(participantId)),
          parts: match.parts ?? [],
        })
        waiting = waiting.filter(({ participantId }) => !ids.has(participantId))
      }
      if (couldStart(waiting, ofSix)) couldHaveStarted.push(index)
    }
    return { grouped, waiting, couldHaveStarted, leftOut }
  })()

  test('[M23] are in groups of exactly the composition that was asked for', () => {
    expect(played.grouped.length).toBeGreaterThan(200)
    for (const { members, parts } of played.grouped) {
      expect(members).toHaveLength(6)
      expect(ofSix.compose.map((_, at) => parts.filter((each) => each === at).length)).toEqual([2, 2, 1, 1])
      for (const [index, member] of members.entries())
        expect(partsOf(member) & (1 << (parts[index] ?? 31))).not.toBe(0)
    }
  })

  test('[M2] are in at most one group each', () => {
    const ids = [...played.grouped.flatMap(({ members }) => members), ...played.waiting].map(
      ({ participantId }) => participantId,
    )
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toHaveLength(2_000)
  })

  test('[M11] [M28] never wait while they could start, and no group leaves out the oldest', () => {
    // Whoever fits any part has a place in a group as soon as there is one.
    expect(played.couldHaveStarted).toEqual([])
    expect(played.leftOut).toEqual([])
  })
})

describe('[M31] a dry run with parts', () => {
  const run = (arrivals: DryRunArrivals, settings: MatchingSettings = ofSix) =>
    simulateMatching({ settings, arrivals, seed: 'seed' })

  test('says how many fit each part, and which is short most of the time', () => {
    const { parts, people } = run(crowd)
    expect(parts.map(({ when, count }) => ({ when, count }))).toEqual(ofSix.compose)
    const [isFor, isAgainst, isCertain, isAnybody] = parts
    expect(isAnybody?.people).toBe(2_000)
    // As many as one in six are certain and one is needed of six, half are for, where two of six are needed.
    expect(isFor?.shortShare).toBeLessThan(isCertain?.shortShare ?? 0)
    expect(isFor?.shortShare).toBeLessThan(isAgainst?.shortShare ?? 0)
    expect(isAnybody?.shortShare).toBe(0)
    expect(people.matched).toBeGreaterThan(1_000)
  })

  test('compares waiting times with those of the same people in order of arrival', () => {
    const { waitMs, firstCome, people } = run(crowd)
    expect(firstCome?.matched).toBe(1_998)
    expect(firstCome?.matched).toBeGreaterThanOrEqual(people.matched)
    expect(waitMs?.mean).toBeGreaterThan(firstCome?.waitMs?.mean ?? Infinity)
    expect(run(crowd, settingsOf()).firstCome).toBeNull()
    expect(run(crowd, settingsOf()).parts).toEqual([])
  })

  test('draws people as a pilot found them, all their values together', () => {
    const sample = [
      { opinion: 'for', certainty: 7 },
      { opinion: 'against', certainty: 1 },
    ]
    const pair = settingsOf({
      compose: [part("opinion == 'for' && certainty == 7", 1), part("opinion == 'against'", 1)],
    })
    const { people, parts } = run({ people: 400, sample, variables: { certainty: { 3: 1 } } }, pair)
    expect(people.screenedOut).toBe(0)
    expect((parts[0]?.people ?? 0) + (parts[1]?.people ?? 0)).toBe(400)
    expect(Math.min(...parts.map((one) => one.people))).toBeGreaterThan(150)
  })
})
