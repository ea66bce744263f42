import { claimsEarnedOutcome, ownOutcomesIn, verificationOf } from '@atrium/contract'
import { describe, expect, test } from 'vitest'
import { AppError } from '../../kernel/app-error.ts'
import { parseDefinition } from './parse-definition.ts'

const timed = { on: 'timed', afterMs: 1_000 }
const state = (id: string, more: object = {}) => ({ id, components: [], ...more })
const study = (states: object[], more: object = {}) => ({ name: 'x', states, ...more })

function issuesOf(body: unknown): string[] {
  try {
    parseDefinition(body)
    return []
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return (error.details.issues as { path: string; message: string }[]).map(
      ({ path, message }) => `${path}: ${message}`,
    )
  }
}
const warningsOf = (body: unknown): string[] =>
  parseDefinition(body).warnings.map(({ path, message }) => `${path}: ${message}`)

describe('[R57] outcomes of transitions and deadlines', () => {
  test('[F29] only a transition to the end can have an outcome', () => {
    const next = (to: string) => [state('a', { next: [{ to, outcome: 'SCREENED_OUT' }] }), state('b')]
    expect(issuesOf(study(next('b')))).toEqual([
      '/states/0/next/0/outcome: only a transition to ‘end’ can have an outcome; this one goes to ‘b’',
    ])
    const [a] = next('end')
    expect(issuesOf(study([a ?? {}]))).toEqual([])
  })

  test.each<[string, object, string | null]>([
    ['an outcome', { outcome: 'TIMEOUT' }, null],
    ['the end', { to: 'end' }, null],
    ['an outcome at the end', { to: 'end', outcome: 'TIMEOUT' }, null],
    ['a later state', { to: 'b' }, null],
    ['an outcome and a state', { to: 'b', outcome: 'TIMEOUT' }, 'onTimeout/outcome: only a deadline that'],
    ['a state that does not exist', { to: 'z' }, 'onTimeout/to: state ‘z’ does not exist'],
    ['itself', { to: 'a' }, 'onTimeout/to: a deadline must go to a later state or to the end'],
    ['nothing', {}, 'onTimeout: needs ‘to’, ‘outcome’ or both'],
    ['a number', { outcome: 5 }, 'onTimeout/outcome'],
    ['something unknown', { outcome: 'TIMEOUT', further: 'b' }, 'onTimeout'],
  ])('[F30] a deadline that means %s is accepted, or refused with the reason', (_, onTimeout, wrong) => {
    const issues = issuesOf(study([state('a', { end: { ...timed, onTimeout } }), state('b')]))
    if (wrong === null) expect(issues).toEqual([])
    else expect(issues.join('\n')).toContain(`/states/0/end/${wrong}`)
  })

  test('[F30] onTimeout requires a deadline', () => {
    const end = { on: 'button', onTimeout: { outcome: 'TIMEOUT' } }
    expect(issuesOf(study([state('a', { end })]))).toEqual([
      '/states/0/end/onTimeout: requires afterMs; without it the state has no deadline',
    ])
  })

  test('[F31] a state can be reached only through a deadline', () => {
    const end = { on: 'button', afterMs: 5, onTimeout: { to: 'c' } }
    const states = (a: object) => [state('a', a), state('b', { next: [{ to: 'end' }] }), state('c')]
    expect(issuesOf(study(states({ end })))).toEqual([])
    expect(issuesOf(study(states({ end: timed })))).toHaveLength(1)
  })

  test('[F32] transitions of a timed state with onTimeout cause a warning', () => {
    const a = state('a', {
      end: { ...timed, onTimeout: { to: 'c' } },
      next: [{ to: 'b', when: 'visit > 1' }],
    })
    const [warning, ...others] = warningsOf(study([a, state('b'), state('c')]))
    expect(warning).toMatch(/^\/states\/0\/next: these transitions are never taken/)
    expect(others).toEqual([])
  })
})

describe('[R58] codes for outcomes that are never reached', () => {
  test('[X20] cause a warning with the name that was probably meant', () => {
    const codes = { SUCCES: 'A', TIMED_OUT: 'B', no_consent: 'C', 'a/b~c': 'D', SUCCESS: 'E' }
    expect(warningsOf(study([state('a')], { completion: { codes } }))).toEqual([
      expect.stringMatching(/^\/completion\/codes\/SUCCES: .*did you mean ‘SUCCESS’\?$/),
      expect.stringMatching(/^\/completion\/codes\/TIMED_OUT: .*did you mean ‘TIMEOUT’\?$/),
      expect.stringMatching(/^\/completion\/codes\/no_consent: .*did you mean ‘NO_CONSENT’\?$/),
      expect.stringMatching(/^\/completion\/codes\/a~1b~0c: unknown outcome ‘a\/b~c’/),
    ])
  })

  test('[X20] except the platform’s own and those that a state ends with', () => {
    const names = ['TIMEOUT', 'SCREENED_OUT', 'NO_CONSENT', 'NOT_MATCHED', 'PARTNER_LEFT', 'ABANDONED']
    const codes = Object.fromEntries(
      [...names, 'TECHNICAL', 'too_young', 'too_slow'].map((one) => [one, one]),
    )
    const states = [
      state('a', { next: [{ to: 'end', when: 'visit > 1', outcome: 'too_young' }] }),
      state('b', { end: { ...timed, onTimeout: { outcome: 'too_slow' } } }),
    ]
    expect(warningsOf(study(states, { completion: { codes } }))).toEqual([])
  })
})

describe('[R52] who decides the outcome', () => {
  const verify = (definition: object) => verificationOf(parseDefinition(definition).study)
  const slider = { id: 'rate', type: 'slider' }
  const video = { id: 'film', type: 'video', src: 'https://example.org/a.mp4' }

  test.each<[string, object, 'room' | 'none']>([
    ['nothing to wait for', study([state('a')]), 'none'],
    ['matching', study([state('a')], { matching: { groupSize: 2 } }), 'room'],
    ['a question', study([state('a', { components: [slider] })]), 'room'],
    ['an optional question', study([state('a', { components: [{ ...slider, required: false }] })]), 'none'],
    ['a video', study([state('a', { components: [video] })]), 'none'],
    [
      'a video that ends the state',
      study([state('a', { components: [video], end: { on: 'media_ended', componentId: 'film' } })]),
      'room',
    ],
    [
      'a state that ends with any response',
      study([state('a', { components: [{ ...slider, required: false }], end: { on: 'any_responded' } })]),
      'room',
    ],
    [
      'a state that ends on a condition',
      study([
        state('a', {
          components: [{ ...slider, required: false }],
          end: { on: 'condition', when: 'response.rate > 5', afterMs: 5_000 },
        }),
      ]),
      'room',
    ],
    [
      'a transition that names an outcome',
      study([state('a', { next: [{ to: 'end', when: 'visit > 1', outcome: 'SCREENED_OUT' }] })]),
      'room',
    ],
    [
      'a deadline that names an outcome',
      study([state('a', { end: { ...timed, onTimeout: { outcome: 'too_slow' } } })]),
      'room',
    ],
    [
      'completion.verify none',
      study([state('a', { components: [slider] })], { completion: { verify: 'none' } }),
      'none',
    ],
    ['completion.verify room', study([state('a')], { completion: { verify: 'room' } }), 'room'],
  ])('[S20] an experiment with %s', (_, definition, expected) => {
    expect(verify(definition)).toBe(expected)
  })

  test.each([
    ...[
      'SUCCESS',
      'success',
      ' Success ',
      'S U C C E S S',
      'ＳＵＣＣＥＳＳ',
      'PAID-1',
      'paid-1',
      'PAID 1',
      'paid1',
    ],
    ...['PAID\u200b-1', 'same', 'paid_1\n'],
  ])('[S21] %j passes for SUCCESS', (named) => {
    const codes = { SUCCESS: 'PAID-1', same: 'paid-1', TIMEOUT: 'LATE' }
    const { study: definition } = parseDefinition(study([state('a')], { completion: { codes } }))
    expect(claimsEarnedOutcome(definition, named)).toBe(true)
  })

  test.each(['TIMEOUT', 'LATE', 'SCREENED_OUT', 'PAID', 'constructor', '-'])('[S21] %j does not', (named) => {
    const codes = { SUCCESS: 'PAID-1', TIMEOUT: 'LATE' }
    const { study: definition } = parseDefinition(study([state('a')], { completion: { codes } }))
    expect(claimsEarnedOutcome(definition, named)).toBe(false)
  })

  describe('outcomes of the flow’s own', () => {
    const codes = { SUCCESS: 'PAID-1', BONUS: 'PAID-2', too_slow: 'LATE', TIMEOUT: 'LATE', OTHER: 'X' }
    const states = [
      state('a', { next: [{ to: 'end', when: 'visit > 1', outcome: 'BONUS' }] }),
      state('b', { next: [{ to: 'end', when: 'visit > 1', outcome: 'SCREENED_OUT' }] }),
      state('c', { end: { ...timed, onTimeout: { outcome: 'too_slow' } } }),
    ]
    const { study: definition } = parseDefinition(study(states, { completion: { codes } }))

    test.each(['BONUS', 'bonus', 'PAID-2', ' paid 2', 'too_slow', 'LATE', 'SUCCESS'])(
      '[S40,R52] %j is only the room’s to give',
      (named) => expect(claimsEarnedOutcome(definition, named)).toBe(true),
    )
    test.each(['SCREENED_OUT', 'TIMEOUT', 'NOT_MATCHED', 'NO_CONSENT', 'OTHER', '__proto__'])(
      '[S40,R52] %j may be named at any time',
      (named) => expect(claimsEarnedOutcome(definition, named)).toBe(false),
    )
    test('[S40] are those that the platform does not know', () => {
      expect(ownOutcomesIn(definition)).toEqual(['BONUS', 'too_slow'])
    })
  })
})

test('[X70] an outcome that people from Prolific can end with has a code or a reason not to have one', () => {
  const check = { id: 'c', type: 'text', text: 'Hello' }
  const ended = study([state('a', { components: [check], next: [{ to: 'end', outcome: 'SCREENED_OUT' }] })], {
    completion: {
      codes: { SUCCESS: 'A', TECHNICAL: 'A' },
      noCode: { ABANDONED: 'Whoever leaves is not paid.' },
    },
    recruiting: { prolific: { codes: { STUDY_CLOSED: 'B' } } },
  })
  expect(warningsOf(ended)).toEqual([
    '/completion: people from Prolific can end with SCREENED_OUT and get no code: give each one under `codes`, or say under `noCode` of `completion` why it has none',
  ])
  expect(warningsOf({ ...ended, recruiting: {} })).toEqual([])
  const misspelt = { codes: { SUCCESS: 'A' }, noCode: { ABANDOND: 'Whoever leaves is not paid.' } }
  expect(warningsOf(study([state('a')], { completion: misspelt }))).toEqual([
    expect.stringContaining('/completion/noCode/ABANDOND: unknown outcome ‘ABANDOND’'),
  ])
})
