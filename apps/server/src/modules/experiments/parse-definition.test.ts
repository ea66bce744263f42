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

describe('[R60] a definition that is too large is refused before it is examined', () => {
  test('[X6] too many states, valid or not', () => {
    const message = 'has 1,001 states; the limit is 1,000'
    expect(issuesOf({ states: many(1_001, () => 'wrong') })).toEqual([{ path: '/states', message }])
  })

  test('[X6] depth is checked before size', () => {
    let deep: unknown = 1
    for (let level = 0; level < 70; level += 1) deep = [deep]
    const issues = issuesOf({ name: 'x', metadata: { deep }, states: many(1_001, () => 'wrong') })
    expect(issues.map(({ message }) => message)).toEqual(['is nested too deep'])
  })

  test('a definition that reaches every limit is accepted', () => {
    const states = many(1_000, (at) =>
      state(`s${at}`, { components: many(10, (index) => ({ id: `c${index}`, type: 'text' })) }),
    )
    const variables = Object.fromEntries(many(1_000, (index) => [`v${index}`, 0]))
    const definition = { name: 'x', states, variables, matching: { groupSize: 1_000 } }
    expect(issuesOf(definition)).toEqual([])
    expect(issuesOf({ ...definition, matching: { groupSize: 1_001 } })).toHaveLength(1)
  })

  test('steps are counted per person if people proceed individually', () => {
    const blocks = [{ id: 'b', states: ['s'], rounds: 200 }]
    const definition = { name: 'x', states: [state('s')], blocks, matching: { groupSize: 1_000 } }
    expect(issuesOf(definition)).toEqual([])
    expect(issuesOf({ ...definition, pacing: 'participant' })).toEqual([
      {
        path: '/blocks',
        message:
          'the experiment has 200 steps, including all rounds and trials of its blocks, for each of up to 1000 people per room; the limit is 100000 per room',
      },
    ])
  })
})

describe('[R60] reports are limited', () => {
  test('[X6] issues and suggestions', () => {
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

  test('errors in settings', () => {
    const components = many(200, (index) => ({ id: `c${index}`, type: 'likert', points: 'many' }))
    expect(issuesOf({ name: 'x', states: [state('s', { components })] })).toHaveLength(100)
  })
})

describe('[F27] states that end as soon as they are entered', () => {
  const instant = { end: { on: 'timed', afterMs: 0 } }
  const sentence = (id: string) =>
    `more than 1000 states in a row, starting with ‘${id}’, end as soon as they are entered; give one of them a duration, a button or a question`

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
  ])('may not continue forever: %s', (_name, states, from) => {
    const at = states.findIndex(({ id }) => id === from)
    expect(issuesOf({ name: 'x', states })).toEqual([{ path: `/states/${at}`, message: sentence(from) }])
  })

  test('must not continue for thousands of rounds', () => {
    const blocks = [{ id: 'b', states: ['a'], rounds: 5_000 }]
    const states = [state('a', instant), state('z')]
    expect(issuesOf({ name: 'x', states, blocks })).toEqual([{ path: '/states/0', message: sentence('a') }])
  })

  test.each([
    ['a bounded loop', [state('a', { ...instant, next: [{ to: 'a', atMost: 900 }] }), state('z')]],
    [
      'a loop whose end depends on a condition',
      [state('a', { ...instant, next: [{ to: 'a', when: 'visit < 5', atMost: 10_000 }] }), state('z')],
    ],
    [
      'a loop with a pause in it',
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
    { path: '/completion/payoff', message: 'variable ‘point’ does not exist' },
  ])
  for (const payoff of [1, '', null, 'x'.repeat(65)])
    expect(issuesOf({ ...definition, completion: { payoff } }).map(({ path }) => path)).toContain(
      '/completion/payoff',
    )
})

test('[R93,X71] kinds of paradata that nobody knows are refused, and those that nobody is told of warned about', () => {
  const definition = { name: 'x', states: [state('s')] }
  const known = '‘focus’, ‘paste’, ‘typing’, ‘device’, ‘network’'
  expect(issuesOf({ ...definition, paradata: ['focus', 'mouse'] })).toEqual([
    { path: '/paradata/1', message: `must be one of ${known}` },
  ])
  expect(issuesOf({ ...definition, paradata: ['focus', 'focus'] })).toEqual([
    { path: '/paradata', message: 'must not have duplicate items' },
  ])
  const warned = (more: object) =>
    parseDefinition({ ...definition, ...more }).warnings.filter(({ path }) => path === '/paradata')
  expect(warned({ paradata: ['focus'] })).toMatchObject([{ message: expect.stringContaining('not told') }])
  expect(warned({ paradata: ['focus'], consent: { text: 'We measure …' } })).toEqual([])
})

describe('[X36] an error about a value names what is expected', () => {
  const groups = 'must be a whole number from 1 to 1,000, or {min, max}'
  const ends =
    'needs one of "on": "button", "on": "timed", "on": "all_responded", "on": "any_responded", "on": "media_ended", "on": "condition"'
  const rule = (more: string, first: string) =>
    `must be 1 to 64 characters, only letters (A to Z, a to z), digits and ${more}, without spaces, and begin with a letter or ${first}`
  const ids = rule('_ . : -', 'a digit')
  const names = `is not a valid name; a name ${rule('_', '_')}`
  const matching = (more: object) => ({ matching: { groupSize: 2, ...more } })

  test.each<[object, string, string]>([
    [{ matching: { groupSize: 0 } }, '/matching/groupSize', groups],
    [{ matching: { groupSize: 2.5 } }, '/matching/groupSize', groups],
    [{ matching: { groupSize: 'two' } }, '/matching/groupSize', groups],
    [{ matching: { groupSize: null } }, '/matching/groupSize', groups],
    [{ matching: { groupSize: { min: 0, max: 3 } } }, '/matching/groupSize/min', 'must be at least 1'],
    [{ matching: { groupSize: { min: 1 } } }, '/matching/groupSize/max', 'is missing'],
    [
      matching({ exclusions: ['x'] }),
      '/matching/exclusions/0',
      'must be ‘never_again’, {same}, or {different}',
    ],
    [
      matching({ exclusions: [{ sam: 'x' }] }),
      '/matching/exclusions/0',
      'must be ‘never_again’, {same}, or {different}',
    ],
    [
      matching({ filters: [{ attribute: 'x', in: [null] }] }),
      '/matching/filters/0/in/0',
      'must be text, a number or true or false',
    ],
    [
      matching({ onDeadline: 'x' }),
      '/matching/onDeadline',
      'must be one of ‘wait’, ‘start_short’, ‘fill_with_agent’, ‘end_paid’, or {to, …}',
    ],
    [{ roles: [7] }, '/roles/0', 'must be text, or {id, …}'],
    [{ roles: ['a b'] }, '/roles/0', ids],
    [{ conditions: { factors: { frame: ['big gain', 'loss'] } } }, '/conditions/factors/frame/0', ids],
    [{ conditions: { factors: { 'my factor': ['gain'] } } }, '/conditions/factors/my factor', names],
    [{ variables: { 'my points': 0 } }, '/variables/my points', names],
    [{ name: '' }, '/name', 'is empty, too long, or contains characters that are not allowed'],
    [{ roles: [{ id: 'a', min: -1 }] }, '/roles/0/min', 'must be at least 0'],
    [{ states: [state('s', { end: 'timed' })] }, '/states/0/end', ends],
    [{ states: [state('s', { end: { on: 'never' } })] }, '/states/0/end', ends],
    [{ states: [state('s', { end: { on: 'timed' } })] }, '/states/0/end/afterMs', 'is missing'],
    [{ capacity: 0 }, '/capacity', 'must be at least 1'],
    [{ name: 7 }, '/name', 'must be text or an object'],
  ])('%j', (more, path, message) => {
    expect(issuesOf({ name: 'x', states: [state('s')], ...more })).toEqual([{ path, message }])
  })
})

test('[X35] policies that need agents are refused with an explanation', () => {
  const matching = { groupSize: 2, deadlineMs: 1_000, onDeadline: 'fill_with_agent' }
  const dropout = { policy: 'replace_with_agent' }
  expect(issuesOf({ name: 'x', states: [state('s')], matching, dropout })).toEqual([
    {
      path: '/matching/onDeadline',
      message: '‘fill_with_agent’ needs an agent with ‘fills: true’',
    },
    {
      path: '/dropout/policy',
      message: '‘replace_with_agent’ needs an agent with ‘replaces: true’',
    },
  ])
})

test('an accent that nobody could read is accepted with a warning that names what is shown instead', () => {
  const { warnings } = parseDefinition({
    name: 'x',
    states: [state('only')],
    appearance: { accent: '#ffd400' },
  })
  expect(warnings).toEqual([
    {
      path: '/appearance/accent',
      message: expect.stringMatching(/participants will see #[\da-f]{6} instead/),
    },
  ])
})
