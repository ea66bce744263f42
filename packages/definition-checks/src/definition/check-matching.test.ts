import type { ExperimentDefinition } from '@atrium/contract'
import { describe, expect, test } from 'vitest'
import { checkComposition } from './check-composition.ts'
import { checkMatching } from './check-matching.ts'

const definition = (more: Partial<ExperimentDefinition>): ExperimentDefinition => ({
  name: 'Checked',
  states: [{ id: 's1', components: [] }],
  ...more,
})
const group = (groupSize: number, more: object = {}) => ({ matching: { groupSize, ...more } })

describe('settings that can never work are refused, with their path', () => {
  test.each<[Partial<ExperimentDefinition>, string, string]>([
    [
      { matching: { groupSize: { min: 3, max: 2 } } },
      '/matching/groupSize',
      'the smallest group (3) is larger than the largest (2)',
    ],
    [{ capacity: 1, ...group(2) }, '/capacity', 'a capacity of 1 can never fill a group of 2'],
    [
      {
        roles: [
          { id: 'a', min: 2 },
          { id: 'b', min: 1 },
        ],
        ...group(2),
      },
      '/roles',
      'the roles require 3 people, but a group has at most 2',
    ],
    [
      {
        roles: [
          { id: 'a', max: 1 },
          { id: 'b', max: 1 },
        ],
        ...group(3),
      },
      '/roles',
      'the roles have places for 2 people, but a group has at least 3',
    ],
    [
      { roles: [{ id: 'a', min: 2, max: 1 }], ...group(3) },
      '/roles/0',
      'role ‘a’ requires at least 2 participants but allows at most 1',
    ],
    [
      { roles: [{ id: 'a', min: 2 }, 'b'], ...group(2) },
      '/roles/1',
      'no group has a place for role ‘b’: the other roles take all 2 places',
    ],
    [
      group(2, { onDeadline: 'end_paid' }),
      '/matching/onDeadline',
      '‘end_paid’ requires deadlineMs; without it there is no deadline',
    ],
    [
      group(1, { deadlineMs: 1, onDeadline: 'fill_with_agent' }),
      '/matching/onDeadline',
      '‘fill_with_agent’ applies only to groups; with one person per room, nobody waits',
    ],
    [
      group(1, { deadlineMs: 1, onDeadline: 'start_short' }),
      '/matching/onDeadline',
      '‘start_short’ applies only to groups; with one person per room, nobody waits',
    ],
    [
      group(2, { filters: [{ attribute: 'age', min: 18 }, { attribute: 'age' }] }),
      '/matching/filters/1',
      'the filter for ‘age’ needs ‘in’, ‘min’ or ‘max’',
    ],
    [
      group(2, { filters: [{ attribute: 'age', min: 30, max: 18 }] }),
      '/matching/filters/0',
      'nobody can match this filter: min (30) is greater than max (18)',
    ],
    [
      group(2, { exclusions: [{ same: 'team' }, { different: 'team' }] }),
      '/matching/exclusions/1',
      'excluding both the same and different values of ‘team’ means that nobody can share a room',
    ],
    [
      group(2, { balance: ['age', 'team'], exclusions: [{ different: 'team' }] }),
      '/matching/balance/1',
      '‘team’ cannot be balanced, because an exclusion separates people who differ in it',
    ],
    [
      group(3, { filters: [{ attribute: 'team', in: ['a', 'b', 'a'] }], exclusions: [{ same: 'team' }] }),
      '/matching/exclusions/0',
      'a group of 3 needs 3 different values of ‘team’, but the filters allow only 2',
    ],
  ])('%j', (more, path, message) => {
    expect(checkMatching(definition(more))).toEqual([{ path, message }])
  })
})

test('[M22] filters name at most 1,000 values together', () => {
  const filter = (attribute: string, count: number) => ({
    attribute,
    in: Array.from({ length: count }, (_, at) => at),
  })
  const issuesWith = (first: number, second: number) =>
    checkMatching(definition(group(2, { filters: [filter('a', first), filter('b', second)] })))
  expect(issuesWith(500, 500)).toEqual([])
  expect(issuesWith(500, 501)).toEqual([
    { path: '/matching/filters', message: 'the filters list 1001 values in total; the limit is 1000' },
  ])
})

test.each<Partial<ExperimentDefinition>>([
  {},
  { roles: ['a', 'b'] },
  { roles: [{ id: 'a', min: 1, max: 1 }, 'b'], ...group(2) },
  {
    roles: [
      { id: 'a', min: 1, max: 1 },
      { id: 'b', min: 1, max: 1 },
    ],
    ...group(2),
  },
  {
    roles: [
      { id: 'a', max: 1 },
      { id: 'b', max: 1 },
    ],
    matching: { groupSize: { min: 2, max: 4 } },
  },
  group(1, { deadlineMs: 1, onDeadline: 'end_paid' }),
  group(2, { onDeadline: 'wait' }),
  group(2, { deadlineMs: 1, onDeadline: 'start_short' }),
  group(2, {
    filters: [
      { attribute: 'team', in: ['a', 'b'] },
      { attribute: 'age', min: 18, max: 18 },
    ],
    exclusions: ['never_again', { same: 'team' }, { different: 'language' }],
    balance: ['team', 'age'],
  }),
])('valid settings are accepted: %j', (more) => {
  expect(checkMatching(definition(more))).toEqual([])
})

describe('[M23] the parts of a group', () => {
  const parts = (...counts: number[]) => ({ compose: counts.map((count) => ({ when: 'true', count })) })

  test('add up to its size', () => {
    expect(checkComposition(definition(group(4, parts(2, 2))))).toEqual([])
    expect(checkComposition(definition({}))).toEqual([])
    expect(checkComposition(definition(group(4, parts(3, 2))))).toEqual([
      { path: '/matching/compose', message: 'the parts need 5 people, but a group has 4' },
    ])
    expect(checkComposition(definition(group(4, parts(2, 1))))).toEqual([
      {
        path: '/matching/compose',
        message:
          'the parts have places for 3 of the 4 people of a group; if the others can be anybody, add {"when": "true", "count": 1}',
      },
    ])
  })

  test('leave no choice of a size', () => {
    const matching = { groupSize: { min: 2, max: 4 }, ...parts(2, 2) }
    expect(checkComposition(definition({ matching }))).toEqual([
      {
        path: '/matching/groupSize',
        message:
          'with ‘compose’ every group has the same size, because its parts do; write 4 instead of 2 to 4, and let smaller groups start with onDeadline: "start_short"',
      },
    ])
  })
})
