import { readFileSync } from 'node:fs'
import type { ExperimentDefinition } from '@atrium/contract'
import type { Settings } from '@atrium/contract/components'
import { describe, expect, test } from 'vitest'
import { checkComponents } from './check-components.ts'

const definition = (
  components: (Settings & { type: string })[],
  more: Partial<ExperimentDefinition> = {},
): ExperimentDefinition => ({
  name: 'Checked',
  states: [{ id: 's1', components: components.map((component, at) => ({ id: `c${at}`, ...component })) }],
  ...more,
})

const here = '/states/0/components/0'

describe('errors', () => {
  test.each<[Settings & { type: string }, string, string]>([
    [{ type: 'slider', min: 'low' }, '/min', 'must be a number'],
    [{ type: 'slider', min: 200 }, '/min', 'min (200) must be less than max (100)'],
    [{ type: 'slider', min: 5, max: 5 }, '/max', 'min (5) must be less than max (5)'],
    [{ type: 'slider', step: 0 }, '/step', 'must be greater than 0'],
    [{ type: 'slider', max: 1, step: 2 }, '/step', 'step (2) is larger than the range from 0 to 1'],
    [{ type: 'slider', start: 101 }, '/start', 'start (101) is not on the scale from 0 to 100'],
    [{ type: 'likert', points: 1 }, '/points', 'must be at least 2'],
    [{ type: 'likert', points: 2.5 }, '/points', 'must be a whole number'],
    [{ type: 'likert', min: 0.5 }, '/min', 'must be a whole number'],
    [{ type: 'date', min: '17.5.2026' }, '/min', 'must be a date such as 2026-05-17'],
    [
      { type: 'date', min: '2026-05-17', max: '2026-05-16' },
      '/max',
      'min (2026-05-17) must not be greater than max (2026-05-16)',
    ],
    [{ type: 'slider', ticks: 2 }, '/ticks', 'makes 51 marks; at most 21 fit, so ticks must be larger'],
    [{ type: 'slider', ticks: 200 }, '/ticks', 'ticks (200) is larger than the range from 0 to 100'],
    [
      { type: 'reaction_time', keys: ['f', 'F'], trials: [{ text: 'A' }] },
      '/keys/1',
      '‘f’ is already in the list',
    ],
    [
      { type: 'reaction_time', keys: ['f'], trials: [{ text: 'A', correctKey: 'j' }] },
      '/trials/0/correctKey',
      '‘j’ is not among the keys',
    ],
    [
      { type: 'reaction_time', keys: ['f'], trials: [{}] },
      '/trials/0',
      'shows nothing: give it a text or an image',
    ],
    [{ type: 'multiple_choice' }, '/options', 'is missing'],
    [{ type: 'multiple_choice', options: [] }, '/options', 'must have at least 1 item'],
    [{ type: 'multiple_choice', options: 'a' }, '/options', 'must be a list'],
    [{ type: 'multiple_choice', options: ['a', { value: 'a' }] }, '/options/1', '‘a’ is already in the list'],
    [
      { type: 'multiple_choice', options: ['a', true] },
      '/options/1',
      'must be text or a number or an object',
    ],
    [{ type: 'multiple_choice', options: ['a', { label: 'B' }] }, '/options/1/value', 'is missing'],
    [
      { type: 'multiple_choice', options: ['a', { value: 'b', label: 3 }] },
      '/options/1/label',
      'must be text',
    ],
    [
      { type: 'multiple_choice', options: [1, 2], correct: '1' },
      '/correct',
      'the correct answer ‘1’ is not among the options',
    ],
    [
      { type: 'multiple_choice', options: ['a', 'b'], correct: ['a', 'c'], multiple: true },
      '/correct/1',
      'the correct answer ‘c’ is not among the options',
    ],
    [
      { type: 'multiple_choice', options: ['a', 'b'], multiple: true, minChoices: 2, maxChoices: 1 },
      '/maxChoices',
      'minChoices (2) must not be greater than maxChoices (1)',
    ],
    [{ type: 'text_input', kind: 'date' }, '/kind', 'must be one of ‘short’, ‘paragraph’, ‘number’, ‘email’'],
    [
      { type: 'text_input', minLength: 2_000 },
      '/minLength',
      'minLength (2000) must not be greater than maxLength (1000)',
    ],
    [
      { type: 'text_input', kind: 'number', min: 2, max: 1 },
      '/max',
      'min (2) must not be greater than max (1)',
    ],
    [
      { type: 'text_input', kind: 'number', step: 0.05, decimals: 1 },
      '/step',
      'steps of 0.05 from 0 need more than 1 decimal places',
    ],
    [
      { type: 'constant_sum', items: ['a', 'b'], total: 10, min: 6 },
      '/min',
      '2 items with at least 6 each are more than the total of 10',
    ],
    [
      { type: 'constant_sum', items: ['a', 'b'], max: 40 },
      '/max',
      '2 items with at most 40 each do not add up to the total of 100',
    ],
    [{ type: 'constant_sum', items: ['1', 1] }, '/items/1', '‘1’ is already in the list'],
    [
      { type: 'constant_sum', items: ['a', '__proto__'] },
      '/items/1',
      '‘__proto__’ is a reserved name; choose another value for this row',
    ],
    [
      { type: 'text_rows', rows: ['valueOf'], allRows: false },
      '/rows/0',
      '‘valueOf’ is a reserved name; choose another value for this row',
    ],
    [{ type: 'best_worst', items: ['a', 'a'] }, '/items/1', '‘a’ is already in the list'],
    [{ type: 'hot_spot' }, '/src', 'is missing; set mediaId for an uploaded picture, or src for an address'],
    [
      { type: 'hot_spot', src: '/a.png', minMarks: 3, maxMarks: 2 },
      '/maxMarks',
      'minMarks (3) must not be greater than maxMarks (2)',
    ],
    [
      {
        ...{ type: 'hot_spot', src: '/a.png' },
        regions: [{ value: 'door', x: 90, y: 0, width: 20, height: 10 }],
      },
      '/regions/0/width',
      'ends beyond the picture: 90 and 20 are more than 100 percent',
    ],
    [
      {
        ...{ type: 'hot_spot', src: '/a.png' },
        regions: [1, 2].map((x) => ({ value: 'door', x, y: 0, width: 20, height: 10 })),
      },
      '/regions/1',
      '‘door’ is already in the list',
    ],
    [
      { type: 'attention_check', options: ['a', 'b'], correct: 'c' },
      '/correct',
      'the correct answer ‘c’ is not among the options',
    ],
    [{ type: 'attention_check', options: ['a', 'b'] }, '/correct', 'is missing'],
    [
      { type: 'consent', file: 'javascript:alert(1)' },
      '/file',
      'the address must start with https:// or http://, or be a path',
    ],
    [{ type: 'ranking', items: ['a'] }, '/items', 'must have at least 2 items'],
    [{ type: 'matrix', rows: ['1', 1], columns: ['a'] }, '/rows/1', '‘1’ is already in the list'],
    [
      { type: 'matrix', rows: ['a', '__proto__'], columns: ['a'] },
      '/rows/1',
      '‘__proto__’ is a reserved name; choose another value for this row',
    ],
    [
      { type: 'matrix', rows: ['valueOf'], columns: ['a'], allRows: false },
      '/rows/0',
      '‘valueOf’ is a reserved name; choose another value for this row',
    ],
    [{ type: 'sparse_rating', atMs: [1, 1] }, '/atMs/1', '‘1’ is already in the list'],
    [{ type: 'video' }, '/src', 'is missing; set src or videoId'],
    [
      { type: 'image', src: 'javascript:alert(1)' },
      '/src',
      'the address must start with https:// or http://, or be a path',
    ],
    [{ type: 'image', src: '' }, '/src', 'is empty, too long, or contains characters that are not allowed'],
    [{ type: 'instructions', questions: [{ id: 'q' }] }, '/questions/0/correct', 'is missing'],
    [
      { type: 'instructions', questions: [{ id: 'q', correct: [] }] },
      '/questions/0/correct',
      'must have at least 1 item',
    ],
    [
      { type: 'instructions', questions: [{ id: 'q', options: ['a'], correct: 'b' }] },
      '/questions/0/correct',
      'the correct answer ‘b’ is not among the options',
    ],
    [
      {
        type: 'instructions',
        questions: [
          { id: 'q', correct: 1 },
          { id: 'q', correct: 1 },
        ],
      },
      '/questions/1/id',
      'duplicate question id ‘q’',
    ],
    [
      { type: 'continuous_rating', mediaId: 'film' },
      '/mediaId',
      'video or audio ‘film’ is not shown together with this component',
    ],
    [{ type: 'payoff', variable: 'earned' }, '/variable', 'variable ‘earned’ does not exist'],
    [{ type: 'slider', lable: 'x' }, '/lable', 'unknown setting ‘lable’; did you mean ‘label’?'],
    [{ type: 'text', 'a/b': 1 }, '/a~1b', 'unknown setting ‘a/b’'],
    [
      { type: 'multiple_choice', options: [{ value: 'a', lable: 'A' }] },
      '/options/0/lable',
      'unknown setting ‘lable’; did you mean ‘label’?',
    ],
    [
      { type: 'instructions', questions: [{ id: 'q', correct: 1, hint: 'x' }] },
      '/questions/0/hint',
      'unknown setting ‘hint’',
    ],
    [
      { type: 'text', showIf: 'round > 1' },
      '/showIf',
      expect.stringContaining('write ‘when’ with an expression'),
    ],
    [
      { type: 'text', states: ['s1'] },
      '/states',
      expect.stringContaining('only a component in globalComponents'),
    ],
  ])('%j', (component, path, message) => {
    expect(checkComponents(definition([component])).errors).toEqual([{ path: here + path, message }])
  })

  test('an invalid setting is always an error, however many there are', () => {
    const options = Array.from({ length: 50 }, () => true)
    expect(checkComponents(definition([{ type: 'multiple_choice', options }])).errors).not.toEqual([])
  })

  test('a type for states cannot be global', () => {
    const globalComponents = [{ id: 'g', type: 'consent' }]
    expect(checkComponents(definition([], { globalComponents })).errors).toEqual([
      {
        path: '/globalComponents/0/type',
        message: '‘consent’ can only be used in a state, not in globalComponents',
      },
    ])
  })

  test('a payoff cannot show a secret variable', () => {
    const variables = { earned: { initial: 0, secret: true } }
    expect(
      checkComponents(definition([{ type: 'payoff', variable: 'earned' }], { variables })).errors,
    ).toEqual([
      { path: `${here}/variable`, message: 'variable ‘earned’ is secret, so participants cannot see it' },
    ])
  })
})

describe('who controls playback', () => {
  const video = { type: 'video', src: '/film.mp4' }
  const roles = ['guide', 'viewer']

  test.each<[Settings, string, string]>([
    [
      { controlledBy: 'pilot' },
      '/controlledBy',
      'role ‘pilot’ does not exist; use ‘server’, ‘participant’ or a declared role',
    ],
    [
      { controlledBy: 'guide', roles: ['viewer'] },
      '/controlledBy',
      'participants with the role ‘guide’ do not see this component',
    ],
    [
      { controlledBy: 'guide', controls: true },
      '/controls',
      'gives everyone controls of their own, but controlledBy makes everyone play in step; remove one of them',
    ],
    [
      { controlledBy: 'server', autoplay: false },
      '/autoplay',
      'must not be false when the server controls playback, because nobody could start it; set controlledBy to a role',
    ],
  ])('%o is refused at %s', (settings, path, message) => {
    expect(checkComponents(definition([{ ...video, ...settings }], { roles })).errors).toEqual([
      { path: `${here}${path}`, message },
    ])
  })

  test.each<Settings>([
    {},
    { controlledBy: 'server' },
    { controlledBy: 'participant', controls: true, autoplay: false },
    { controlledBy: 'guide', autoplay: false },
  ])('%o is accepted', (settings) => {
    expect(checkComponents(definition([{ ...video, ...settings }], { roles })).errors).toEqual([])
  })

  test('at most 20 media of a state play in step; people who are alone may have more', () => {
    const clips = Array.from({ length: 21 }, () => video)
    const group = { matching: { groupSize: 2 } }
    expect(checkComponents(definition(clips)).errors).toEqual([])
    expect(checkComponents(definition(clips.slice(1), group)).errors).toEqual([])
    expect(checkComponents(definition(clips, { ...group, pacing: 'participant' })).errors).toEqual([])
    expect(checkComponents(definition(clips, group)).errors).toMatchObject([
      { path: '/states/0/components', message: expect.stringContaining('the limit is 20') },
    ])
    const shown = clips.slice(1).map((clip, at) => ({ ...clip, id: `g${at}` }))
    expect(checkComponents(definition([video], { ...group, globalComponents: shown })).errors).toHaveLength(1)
  })
})

describe('references to media', () => {
  const video = { id: 'film', type: 'video', src: '/film.mp4' }
  const rating = { id: 'rating', type: 'continuous_rating', mediaId: 'film' }

  test('can go from a state to a global video, and from a global rating into a state', () => {
    expect(checkComponents(definition([rating], { globalComponents: [video] })).errors).toEqual([])
    expect(checkComponents(definition([video], { globalComponents: [rating] })).errors).toEqual([])
  })

  test('are errors if the rating is shown only in other states', () => {
    const globalComponents = [{ ...rating, states: ['s2'] }]
    expect(checkComponents(definition([video], { globalComponents })).errors).toEqual([
      {
        path: '/globalComponents/0/mediaId',
        message: 'video or audio ‘film’ is not shown together with this component',
      },
    ])
  })

  test('a state that ends with a video needs one', () => {
    const ending = (type: string): ExperimentDefinition => ({
      name: 'Film',
      states: [
        {
          id: 's1',
          components: [{ ...video, type }],
          end: { on: 'media_ended', componentId: 'film' },
        },
      ],
    })
    expect(checkComponents(ending('video')).errors).toEqual([])
    expect(checkComponents(ending('my_player')).errors).toEqual([])
    expect(checkComponents(ending('image')).errors).toEqual([
      {
        path: '/states/0/end/componentId',
        message: 'video or audio ‘film’ does not exist in this state',
      },
    ])
  })
})

describe('warnings', () => {
  test.each<[Settings & { type: string }, string, string]>([
    [{ type: 'slidr' }, '/type', 'unknown component type ‘slidr’; did you mean ‘slider’?'],
    [
      { type: 'multipleChoice' },
      '/type',
      'unknown component type ‘multipleChoice’; did you mean ‘multiple_choice’?',
    ],
    [{ type: 'html' }, '/type', 'unknown component type ‘html’; did you mean ‘custom_html’?'],
    [{ type: 'constructor' }, '/type', 'unknown component type ‘constructor’'],
    [
      { type: 'text', required: true },
      '/required',
      '‘required’ has no effect, because ‘text’ does not accept responses',
    ],
    [{ type: 'text_input', max: 3 }, '/max', '‘max’ has no effect on a text input of kind ‘short’'],
    [
      { type: 'multiple_choice', options: ['a'], maxChoices: 1 },
      '/maxChoices',
      '‘maxChoices’ has no effect without ‘multiple’',
    ],
    [{ type: 'timer' }, '/type', '‘timer’ is meant to be shown across states; move it to globalComponents'],
    [{ type: 'payoff' }, '', 'variable ‘c0’ does not exist; choose one with the setting ‘variable’'],
  ])('%j', (component, path, message) => {
    expect(checkComponents(definition([component]))).toEqual({
      errors: [],
      warnings: [{ path: here + path, message }],
    })
  })
})

test.each(['quick-survey', 'negotiation', 'public-goods', 'stroop'])(
  'the example %s has no errors or warnings',
  (name) => {
    const file = new URL(`../../../../examples/${name}.json`, import.meta.url)
    expect(checkComponents(JSON.parse(readFileSync(file, 'utf8')))).toEqual({ errors: [], warnings: [] })
  },
)
