import { describe, expect, test } from 'vitest'
import { AppError } from '../../kernel/app-error.ts'
import { parseDefinition } from './parse-definition.ts'

const many = <Item>(count: number, item: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => item(index))

function issuesOf(body: unknown): { path: string; message: string }[] {
  try {
    parseDefinition(body)
    return []
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return error.details.issues as { path: string; message: string }[]
  }
}

const state = (id: string, more: object = {}) => ({ id, components: [], ...more })

describe('[R60] what is too large is refused before anything is looked into', () => {
  test('too many states, whatever they are', () => {
    const message = 'there are 1,001 states; a definition has at most 1,000'
    expect(issuesOf({ states: many(1_001, () => 'wrong') })).toEqual([{ path: '/states', message }])
  })

  test('too deep, before too many', () => {
    let deep: unknown = 1
    for (let level = 0; level < 70; level += 1) deep = [deep]
    const issues = issuesOf({ name: 'x', metadata: { deep }, states: many(1_001, () => 'wrong') })
    expect(issues.map(({ message }) => message)).toEqual(['is nested too deep'])
  })

  test('all that the bounds allow together is accepted', () => {
    const states = many(1_000, (at) =>
      state(`s${at}`, { components: many(10, (index) => ({ id: `c${index}`, type: 'text' })) }),
    )
    const variables = Object.fromEntries(many(1_000, (index) => [`v${index}`, 0]))
    const definition = { name: 'x', states, variables, matching: { groupSize: 1_000 } }
    expect(issuesOf(definition)).toEqual([])
    expect(issuesOf({ ...definition, matching: { groupSize: 1_001 } })).toHaveLength(1)
  })

  test('steps are counted for everyone who has a path of their own', () => {
    const blocks = [{ id: 'b', states: ['s'], rounds: 200 }]
    const definition = { name: 'x', states: [state('s')], blocks, matching: { groupSize: 1_000 } }
    expect(issuesOf(definition)).toEqual([])
    expect(issuesOf({ ...definition, pacing: 'participant' })).toEqual([
      {
        path: '/blocks',
        message:
          'the experiment has 200 steps with all rounds of its blocks, for each of up to 1000 people in a room; at most 100000 are possible in a room',
      },
    ])
  })
})

describe('[R60] what is reported is bounded', () => {
  test('issues, and suggestions among them', () => {
    const onEnter = Object.fromEntries(many(1_000, (index) => [`varaible_${index}`, '1']))
    const variables = Object.fromEntries(many(1_000, (index) => [`variable_${index}`, 0]))
    const issues = issuesOf({ name: 'x', variables, states: [state('s', { onEnter })] })
    expect(issues).toHaveLength(100)
    expect(issues.filter(({ message }) => message.includes('did you mean'))).toHaveLength(20)
  })

  test('warnings', () => {
    const components = many(200, (index) => ({ id: `c${index}`, type: `slidr${index}`, colour: 'red' }))
    const { warnings } = parseDefinition({ name: 'x', states: [state('s', { components })] })
    expect(warnings).toHaveLength(100)
  })

  test('errors of settings', () => {
    const components = many(200, (index) => ({ id: `c${index}`, type: 'likert', points: 'many' }))
    expect(issuesOf({ name: 'x', states: [state('s', { components })] })).toHaveLength(100)
  })
})

describe('[F27] states that end in the moment they are entered', () => {
  const instant = { end: { on: 'timed', afterMs: 0 } }
  const sentence = (id: string) =>
    `from ‘${id}’ on more than 1000 states end in the moment they are entered: give one of them a time, a button or a question`

  test.each([
    ['to itself', [state('a', { ...instant, next: [{ to: 'a', atMost: 10_000 }] }), state('z')], 'a'],
    [
      'in a circle',
      [
        state('a'),
        state('b', { end: { on: 'condition', when: '1 < 2' } }),
        state('c', { end: { on: 'all_responded', afterMs: 0 }, next: [{ to: 'b', atMost: 10_000 }] }),
        state('z'),
      ],
      'b',
    ],
  ])('may not go on for ever: %s', (_name, states, from) => {
    const at = states.findIndex(({ id }) => id === from)
    expect(issuesOf({ name: 'x', states })).toEqual([{ path: `/states/${at}`, message: sentence(from) }])
  })

  test('nor for thousands of rounds', () => {
    const blocks = [{ id: 'b', states: ['a'], rounds: 5_000 }]
    const states = [state('a', instant), state('z')]
    expect(issuesOf({ name: 'x', states, blocks })).toEqual([{ path: '/states/0', message: sentence('a') }])
  })

  test.each([
    ['a loop that is bounded', [state('a', { ...instant, next: [{ to: 'a', atMost: 900 }] }), state('z')]],
    [
      'a loop whose end depends on something',
      [state('a', { ...instant, next: [{ to: 'a', when: 'visit < 5', atMost: 10_000 }] }), state('z')],
    ],
    [
      'a loop with a rest in it',
      [state('a', instant), state('z', { next: [{ to: 'a', atMost: 10_000 }] }), state('end_of_all')],
    ],
  ])('may be %s', (_name, states) => {
    expect(issuesOf({ name: 'x', states })).toEqual([])
  })
})

test('[X32] the payoff is a variable of the definition', () => {
  const definition = { name: 'x', states: [state('s')], variables: { points: 0 } }
  expect(issuesOf({ ...definition, completion: { payoff: 'points' } })).toEqual([])
  expect(issuesOf({ ...definition, completion: { payoff: 'point' } })).toEqual([
    { path: '/completion/payoff', message: 'there is no variable called ‘point’' },
  ])
  for (const payoff of [1, '', null, 'x'.repeat(65)])
    expect(issuesOf({ ...definition, completion: { payoff } }).map(({ path }) => path)).toContain(
      '/completion/payoff',
    )
})
