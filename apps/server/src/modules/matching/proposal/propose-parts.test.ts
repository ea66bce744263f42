import { random } from '@atrium/flow'
import { describe, expect, test } from 'vitest'
import type { WaitingPerson } from '../../../ports/waiting-queue.ts'
import { attributesFor } from './attributes.ts'
import { propose, proposeAtCost } from './propose.ts'
import { crowd, person, proposed, quota, settingsOf } from './test/crowd.ts'

const part = (when: string, count: number) => ({ when, count })
const twoAndTwo = {
  min: 4,
  max: 4,
  compose: [part("opinion == 'for'", 2), part("opinion == 'against'", 2)],
}

/** `crowd('a/for b')`, where what follows the stroke is what they answered. */
const answering = (names: string, settings: Parameters<typeof settingsOf>[0]): WaitingPerson[] =>
  crowd(names).map((one) => ({
    ...one,
    attributes: attributesFor(settingsOf(settings), {}, { opinion: one.attributes.team ?? null }),
  }))

describe('a group of parts', () => {
  test('[M23] starts when each part has its people, with those who have waited longest', () => {
    const groupsOf = (names: string) => proposed(answering(names, twoAndTwo), twoAndTwo).groups
    expect(groupsOf('a/for b/for c/for d/against')).toEqual([])
    expect(groupsOf('a/for b/for c/for d/against e/against')).toEqual(['a b d e'])
    expect(groupsOf('a/for b/for c/for d/against e/against f/against g/for h/against')).toEqual([
      'a b d e',
      'c f g h',
    ])
  })

  test('[M23] somebody who fits several parts takes the place that helps', () => {
    const settings = {
      min: 3,
      max: 3,
      compose: [part('true', 1), part("opinion == 'for'", 1), part("opinion != 'for'", 1)],
    }
    expect(proposed(answering('a/for b/for c/against', settings), settings).groups).toEqual(['a b c'])
    expect(proposed(answering('a/against b/against c/for', settings), settings).groups).toEqual(['a b c'])
    expect(proposed(answering('a/for b/for c/for', settings), settings).groups).toEqual([])
  })

  test('[M23] [M13] [M15] keeps roles and exclusions as well, even where the first choice fails', () => {
    const roles = [quota('buyer', 1, 1), quota('seller', 1, 1)]
    const settings = {
      roles,
      exclusions: [{ same: 'team' }],
      compose: [part("opinion == 'for'", 1), part("opinion == 'against'", 1)],
    }
    const trader = (name: string, at: number, role: string, opinion: string, team: string) =>
      person(name, at, { role, attributes: attributesFor(settingsOf(settings), { team }, { opinion }) })
    const people = [
      trader('a', 0, 'buyer', 'for', 'x'),
      trader('sameRole', 1, 'buyer', 'against', 'y'),
      trader('sameTeam', 2, 'seller', 'against', 'x'),
      trader('sameOpinion', 3, 'seller', 'for', 'y'),
      trader('b', 4, 'seller', 'against', 'z'),
    ]
    expect(proposed(people, settings).groups[0]).toBe('a:buyer b:seller')
  })

  test('[M26] people of no part are screened out, as no group has a place for them', () => {
    expect(proposed(answering('a/for b/undecided c', twoAndTwo), twoAndTwo).endings).toEqual({
      b: 'screened_out',
      c: 'screened_out',
    })
  })
})

describe('[M27] at the deadline', () => {
  const late = { now: 1_000 }
  test('a short group has at most as many of a part as were asked for', () => {
    const settings = { ...twoAndTwo, deadlineMs: 100, onDeadline: 'start_short' as const }
    const people = answering('a/for b/for c/for d/against', settings)
    expect(proposed(people, settings, late)).toEqual({ groups: ['a b d'], endings: { c: 'deadline' } })
  })

  test('agents fill what the parts lack', () => {
    const settings = { ...twoAndTwo, deadlineMs: 100, onDeadline: 'fill_with_agent' as const }
    const people = answering('a/for b/for c/for d/against', settings)
    expect(proposed(people, settings, late).groups).toEqual([
      'a b d +participant',
      'c +participant +participant +participant',
    ])
  })
})

describe('what is known of a person', () => {
  const settings = settingsOf({
    filters: [{ attribute: 'age', min: 18 }],
    balance: ['gender'],
    compose: [part('metadata.age >= 18', 1), part("opinion == 'for' && metadata.country == 'DE'", 1)],
  })

  test('[M24] is decided once; nothing but the result and what other rules name enters the queue', () => {
    const metadata = { age: '30', gender: 'f', country: 'DE', name: 'Ada' }
    const attributes = attributesFor(settings, metadata, { opinion: 'for', secret: 1 })
    expect(Object.values(attributes)).toEqual(['30', 'f', 0b11])
    expect(Object.values(attributesFor(settings, metadata))).toEqual(['30', 'f', 0b01])
  })

  test('[M25] a name is the variable where there is one, and the field of the link elsewhere', () => {
    const metadata = { age: 30, gender: 'f' }
    expect(attributesFor(settings, metadata, { age: 17 })).toMatchObject({ age: 17, gender: 'f' })
    expect(attributesFor(settings, metadata, { age: null })).not.toHaveProperty('age')
    expect(attributesFor(settings, metadata, { gender: ['f'] })).not.toHaveProperty('gender')
  })

  test('[M24] what costs too much to decide is not true', () => {
    const long = Array.from({ length: 9_000 }, (_, at) => at)
    const costly = settingsOf({ compose: [part('length(sort(x)) > 0', 1), part('true', 1)] })
    const bitsWith = (x: number[]) => Object.values(attributesFor(costly, {}, { x }))
    expect(bitsWith([1, 2])).toEqual([0b11])
    expect(bitsWith([...long, ...long, ...long])).toEqual([0b10])
  })
})

test('[M29] a group says what was known when it was formed', () => {
  const settings = settingsOf({
    ...twoAndTwo,
    exclusions: [{ different: 'language' }],
    compose: [...twoAndTwo.compose],
  })
  const speaker = (name: string, at: number, opinion: string, language: string) =>
    person(name, at, { attributes: attributesFor(settings, { language }, { opinion }) })
  const people = [
    speaker('a', 0, 'for', 'de'),
    speaker('other', 10, 'for', 'fr'),
    speaker('b', 20, 'against', 'de'),
    speaker('c', 30, 'against', 'de'),
    speaker('one too many', 40, 'against', 'de'),
    speaker('d', 50, 'for', 'de'),
  ]
  const { groups } = propose({ people, settings, formerPartners: [], now: 60, isClosing: false })
  expect(groups.map(({ match }) => match)).toEqual([
    {
      search: 'full',
      waiting: 6,
      considered: 5,
      passedOver: 1,
      waitedMs: [60, 40, 30, 10],
      parts: [0, 1, 1, 0],
    },
  ])
})

test('[M28] the only group there is, is found among many who almost fit, whatever roles ask for', () => {
  const compose = [part('metadata.x == 1', 4), part('metadata.y == 1', 4), part('metadata.z == 1', 4)]
  const roles = [quota('a', 6, 6), quota('b', 6, 6)]
  const settings = settingsOf({ min: 12, max: 12, compose, roles })
  const somebody = (name: string, at: number, role: string, fits: string) => {
    const fields = Object.fromEntries(['x', 'y', 'z'].map((field) => [field, fits.includes(field) ? 1 : 0]))
    return person(name, at, { role, attributes: attributesFor(settings, fields) })
  }
  // Of role b there are six, all of whom fit x or y: those of role a who fit these leave no place for all of them.
  const decoys = Array.from({ length: 60 }, (_, at) =>
    somebody(`decoy-${at}`, at, 'a', ['x', 'y', 'xy'][at % 3] ?? ''),
  )
  const needed = Array.from({ length: 6 }, (_, at) => somebody(`b-${at}`, 60 + at, 'b', 'xy'))
  const others = Array.from({ length: 4 }, (_, at) => somebody(`z-${at}`, 70 + at, 'a', 'z'))
  const input = { people: [...decoys, ...needed, ...others], settings, formerPartners: [] }
  const { proposal, looks } = proposeAtCost({ ...input, now: 0, isClosing: false })
  expect(proposal.groups).toHaveLength(1)
  expect(looks).toBeLessThan(10_000)
  const short = proposeAtCost({ ...input, people: [...decoys, ...needed], now: 0, isClosing: false })
  expect(short.proposal.groups).toEqual([])
  expect(short.looks).toBeLessThan(10_000)
})

test('[M28] [M17] parts of many people are searched within the bound', () => {
  const next = random('parts')
  const compose = Array.from({ length: 20 }, (_, at) => part(`metadata.x${at} == 1`, 5))
  const settings = settingsOf({ min: 100, max: 100, compose, exclusions: [{ same: 'household' }] })
  const people = Array.from({ length: 1_000 }, (_, at) => {
    const fields = compose.map((_, index) => [`x${index}`, next() < 0.1 ? 1 : 0] as const)
    const metadata = { ...Object.fromEntries(fields), household: Math.floor(next() * 90) }
    return person(`p${at}`, at, { attributes: attributesFor(settings, metadata) })
  })
  const { proposal, looks } = proposeAtCost({
    people,
    settings,
    formerPartners: [],
    now: 0,
    isClosing: false,
  })
  // Ninety households cannot fill a hundred places; a person may be of no part.
  expect(proposal.groups).toEqual([])
  expect(looks).toBeLessThan(50_000 + 300 * people.length)
})
