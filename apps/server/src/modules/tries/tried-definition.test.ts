import type { ExperimentDefinition, WrittenDefinition } from '@atrium/contract'
import { smallestDefinition } from '@atrium/testkit'
import { describe, expect, test } from 'vitest'
import { parseDefinition } from '../experiments/parse-definition.ts'
import { seatsOf, triedDefinition } from './tried-definition.ts'

const bargain = (more: Partial<ExperimentDefinition> = {}): ExperimentDefinition =>
  smallestDefinition({
    roles: [{ id: 'buyer', min: 1, max: 1 }, 'seller'],
    matching: {
      groupSize: 2,
      deadlineMs: 60_000,
      filters: [{ attribute: 'age', min: 18 }],
      compose: [{ when: 'metadata.age > 30', count: 2 }],
    },
    ...more,
  })

describe('what is played in a try', () => {
  test('[TR1] nobody is sent away, screened out or charged', () => {
    const tried = triedDefinition(
      bargain({
        access: 'signed_in',
        capacity: 2,
        recruiting: { mturk: {} },
        completion: { codes: { SUCCESS: 'C1' }, redirectUrl: 'https://example.org/' },
        consent: { sendsTextToModels: true },
        agentBudget: { turns: 5 },
        agents: [
          {
            id: 'm',
            name: 'Model',
            credentialId: 'cred_1',
            replaces: true,
            instructions: 'Be kind.',
            budget: { turns: 1 },
          },
        ],
      }),
      {},
    )
    expect(tried).toMatchObject({ listed: false, access: 'anyone', capacity: 50 })
    expect(tried.completion).toEqual({ codes: { SUCCESS: 'C1' }, allowRepeat: true })
    expect(tried.recruiting).toBeUndefined()
    expect(tried.matching).toEqual({ groupSize: 2, deadlineMs: 60_000 })
    expect(tried.agents).toEqual([
      { id: 'm', name: 'Model', provider: 'Scripted', replaces: true, instructions: 'Be kind.' },
    ])
    expect(parseDefinition(tried).definition).toEqual(tried)
  })

  test('[TR1] time is divided, but a person can still follow', () => {
    const end = (afterMs: number) => ({ on: 'timed' as const, afterMs })
    const states = [60_000, 10_000, 500].map((ms, at) => ({ id: `s${at}`, components: [], end: end(ms) }))
    const times = (speed: number) =>
      triedDefinition(smallestDefinition({ states }), { speed }).states?.map(({ end }) => end?.afterMs)
    expect(times(1)).toEqual([60_000, 10_000, 500])
    expect(times(20)).toEqual([3_000, 2_000, 500])
  })

  test('[TR2] a jump adds a state that leads to the wanted one, with an id that no author can give', () => {
    const states = ['s1', 's2', 's3'].map((id) => ({ id, components: [] }))
    const tried = triedDefinition(smallestDefinition({ states }), { startAt: 's3' })
    expect(tried.states?.map(({ id }) => id)).toEqual(['try:start', 's1', 's2', 's3'])
    expect(tried.states?.[0]).toMatchObject({ components: [], next: [{ to: 's3' }] })
    expect(() => parseDefinition(tried)).toThrow()
  })

  test('[TR4] agents take the other seats at once, in a group only', () => {
    const filled = triedDefinition(bargain(), { fill: true })
    expect(filled.matching).toEqual({ groupSize: 2, deadlineMs: 1, onDeadline: 'fill_with_agent' })
    expect(filled.agents).toMatchObject([{ id: 'try-agent', provider: 'Scripted', fills: true }])
    expect(parseDefinition(filled).definition).toEqual(filled)
    expect(triedDefinition(smallestDefinition(), { fill: true }).agents).toBeUndefined()
  })
})

const meeting: WrittenDefinition = {
  name: 'Meeting',
  stages: [
    { id: 'alone', states: [{ id: 'think', components: [] }] },
    { id: 'talk', matching: { groupSize: 3 }, states: [{ id: 'chat', components: [] }] },
  ],
}

test.each<[string, WrittenDefinition, boolean, string[]]>([
  ['alone', smallestDefinition(), false, ['participant']],
  ['alone, in one of two roles', smallestDefinition({ roles: ['a', 'b'] }), false, ['a', 'b']],
  ['a pair', bargain(), false, ['buyer', 'seller']],
  ['a pair, with agents', bargain(), true, ['buyer', 'seller']],
  [
    'three without roles',
    smallestDefinition({ matching: { groupSize: 3 } }),
    false,
    new Array(3).fill('participant'),
  ],
  [
    'three without roles, with agents',
    smallestDefinition({ matching: { groupSize: 3 } }),
    true,
    ['participant'],
  ],
  ['a crowd', smallestDefinition({ matching: { groupSize: 30 } }), false, new Array(8).fill('participant')],
  [
    'two sellers',
    bargain({ roles: ['buyer', { id: 'seller', min: 2 }], matching: { groupSize: 3 } }),
    false,
    ['buyer', 'seller', 'seller'],
  ],
  ['one who meets two others in the second stage', meeting, false, new Array(3).fill('participant')],
  ['one who meets agents in the second stage', meeting, true, ['participant']],
])('[TR4,R68] panes for %s', (_, definition, fill, roles) => {
  expect(seatsOf(definition, { fill }).map(({ role }) => role)).toEqual(roles)
})
