import { evaluateResponse, plannedTrials, responseSchemaOf } from '@atrium/contract/components'
import { Value } from 'typebox/value'
import { expect, test } from 'vitest'
import { checkComponents } from './check-components.ts'

const key = (more: object = {}) => ({
  type: 'html-keyboard-response',
  stimulus: 'A',
  choices: ['f', 'j'],
  ...more,
})
const here = '/states/0/components/0/timeline'

function findingsOf(timeline: unknown): { errors: object[]; warnings: object[] } {
  // As it arrives: JSON can hold names that a literal cannot.
  const component = JSON.parse(JSON.stringify({ id: 'task', type: 'jspsych' }))
  component.timeline = timeline
  return checkComponents({ name: 'A task', states: [{ id: 's', components: [component] }] })
}

const inBlock = (stimulus: unknown, rows: unknown[], more: object = {}) => [
  { timeline: [key({ stimulus, ...more })], timeline_variables: rows },
]

test.each<[what: string, timeline: unknown[]]>([
  ['trials', [key(), key({ choices: 'NO_KEYS', trial_duration: 500, prompt: null, post_trial_gap: 100 })]],
  ['variables', inBlock({ timelineVariable: 'word' }, [{ word: 'A' }, { word: 'B' }])],
  ['variables in data', inBlock('A', [{ word: 'A' }], { data: { word: { timelineVariable: 'word' } } })],
  ['nested questions', [{ type: 'survey-text', questions: [{ prompt: 'Why?', rows: 3 }] }]],
  ['a grid of zeros and ones', [{ type: 'serial-reaction-time', target: [0, 1], grid: [[1, 1, 0, 1]] }]],
  ['pictures', [{ type: 'image-button-response', stimulus: '/a.png', choices: ['yes', 'no'] }]],
])('%s are accepted', (_what, timeline) => {
  expect(findingsOf(timeline)).toEqual({ errors: [], warnings: [] })
})

test('[R61] values of the study are refused, because they are not filled in', () => {
  const timeline = inBlock({ timelineVariable: 'word' }, [{ word: 'You have {{pot}}' }], {
    prompt: '<b>{{pot}}</b>',
  })
  expect(findingsOf(timeline)).toMatchObject({
    warnings: [],
    errors: [
      { path: `${here}/0/timeline/0/prompt`, message: expect.stringContaining('no variables of the study') },
      { path: `${here}/0/timeline_variables/0/word` },
    ],
  })
})

test.each<[timeline: unknown[], path: string, message: string | RegExp]>([
  [[], '', 'must have at least 1 item'],
  [[{ type: 'html-keyboard-respons', stimulus: 'A' }], '/0/type', /did you mean ‘html-keyboard-response’\?$/],
  [[{ type: 'webgazer-calibrate' }], '/0/type', /^unknown jsPsych plugin ‘webgazer-calibrate’; one of html-/],
  [[{ type: 'constructor' }], '/0/type', /^unknown jsPsych plugin ‘constructor’/],
  [[{ type: 'html-keyboard-response' }], '/0/stimulus', 'is missing'],
  [[key({ stimulus: 3 })], '/0/stimulus', 'must be a text'],
  [[key({ choices: 'f' })], '/0/choices', 'must be ‘ALL_KEYS’, ‘NO_KEYS’ or a list of keys'],
  [[key({ choices: [] })], '/0/choices', /list of keys$/],
  [[key({ trial_duration: '500' })], '/0/trial_duration', 'must be a number'],
  [[key({ response_ends_trial: 'yes' })], '/0/response_ends_trial', 'must be true or false'],
  [[key({ post_trial_gap: 90_000 })], '/0/post_trial_gap', 'must be at most 60000'],
  [
    [{ type: 'same-different-html', stimuli: ['a', 'b'], answer: 'equal' }],
    '/0/answer',
    'must be one of ‘same’, ‘different’',
  ],
  [[{ type: 'html-button-response', stimulus: 'A', choices: 'yes' }], '/0/choices', 'must be a list'],
  [
    [{ type: 'html-button-response', stimulus: 'A', choices: ['yes'], button_html: '() => 1' }],
    '/0/button_html',
    'takes a function, which a definition cannot contain',
  ],
  [
    [key({ on_finish: 'alert(1)' })],
    '/0/on_finish',
    '‘on_finish’ takes functions, which a definition cannot contain',
  ],
  [[{ type: 'survey-text', questions: [{ rows: 2 }] }], '/0/questions/0/prompt', 'is missing'],
  [[{ type: 'survey-text', questions: ['Why?'] }], '/0/questions/0', 'must be an object'],
  [
    [{ type: 'image-keyboard-response', stimulus: 'javascript:alert(1)' }],
    '/0/stimulus',
    'the address must start with https:// or http://, or be a path',
  ],
  [
    [key({ stimulus: { timelineVariable: 'word' } })],
    '/0/stimulus',
    'timeline variable ‘word’ does not exist in `timeline_variables` of this block',
  ],
  [
    inBlock({ timelineVariable: 'wort' }, [{ word: 'A' }]),
    '/0/timeline/0/stimulus',
    /^timeline variable ‘wort’/,
  ],
  [
    inBlock({ timelineVariable: 'word' }, [{ word: 'A' }, { word: 7 }]),
    '/0/timeline_variables/1/word',
    'must be a text',
  ],
  [
    inBlock({ timelineVariable: 'word' }, [{ word: 'A', ink: 'red' }, { word: 'B' }]),
    '/0/timeline_variables/1/ink',
    'is missing, although other rows have it',
  ],
  [
    [key({ data: { correct: 'f' } })],
    '/0/data/correct',
    '‘correct’ is never sent to participants; choose another name, such as ‘correct_response’',
  ],
  [
    [JSON.parse('{"type": "html-keyboard-response", "stimulus": "A", "data": {"__proto__": {"x": 1}}}')],
    '/0/data/__proto__',
    '‘__proto__’ cannot be used as a name',
  ],
  [[key({ data: { constructor: { prototype: 1 } } })], '/0/data/constructor', /cannot be used as a name$/],
  [[key({ data: nested(20) })], 'deep', /more than 8 levels deep$/],
  [
    [
      {
        timeline: [key()],
        timeline_variables: Array.from({ length: 4 }, () => ({ a: 1 })),
        repetitions: 100,
      },
    ],
    '',
    'has 400 trials; up to 300 are possible',
  ],
  [[key({ stimulus: 'x'.repeat(70_000) })], '', /^its trials would record more than 64 KiB/],
])('%j is refused at %s', (timeline, path, message) => {
  const { errors } = findingsOf(timeline)
  const expected = { message: typeof message === 'string' ? message : expect.stringMatching(message) }
  expect(errors[0]).toMatchObject(path === 'deep' ? expected : { ...expected, path: here + path })
})

function nested(levels: number): object {
  return levels === 0 ? {} : { inside: nested(levels - 1) }
}

test('[R61] what is unknown to a plugin is refused', () => {
  expect(findingsOf([key({ stimulus_length: 3, save_trial_parameters: { wrod: true } })])).toEqual({
    warnings: [],
    errors: [
      {
        path: `${here}/0/stimulus_length`,
        message: expect.stringContaining('is no parameter of html-keyboard-response'),
      },
      {
        path: `${here}/0/save_trial_parameters/wrod`,
        message: 'html-keyboard-response has no parameter ‘wrod’',
      },
    ],
  })
})

const block = {
  timeline: [
    key({ stimulus: '+' }),
    { type: 'html-button-response', stimulus: { timelineVariable: 'word' } },
  ],
  timeline_variables: [{ word: 'A' }, { word: 'B' }],
  repetitions: 2,
}

test('a block is played once for each row and repetition; a shuffle changes rows, never the sequence of plugins', () => {
  const inOrder = plannedTrials([key(), block], (rows) => rows)
  expect(inOrder.map(({ stimulus }) => stimulus)).toEqual(['A', '+', 'A', '+', 'B', '+', 'A', '+', 'B'])
  const random = plannedTrials([key(), { ...block, randomize_order: true }], (rows) => rows.toReversed())
  expect(random.map(({ stimulus }) => stimulus)).toEqual(['A', '+', 'B', '+', 'A', '+', 'B', '+', 'A'])
  expect(random.map(({ type }) => type)).toEqual(inOrder.map(({ type }) => type))
})

const component = {
  id: 'task',
  type: 'jspsych',
  timeline: [key(), { type: 'instructions', pages: ['Thanks'] }],
}
const trial = (at: number, more: object = {}) => ({
  trial_type: at === 0 ? 'html-keyboard-response' : 'instructions',
  trial_index: at,
  time_elapsed: 900 + at,
  run: 0,
  ...more,
})

test('trial data may hold anything that plugins record, within bounds', () => {
  const fits = (value: unknown) => Value.Check(responseSchemaOf(component) ?? {}, value)
  const full = trial(0, {
    rt: 512,
    response: 'f',
    stimulus: 'A',
    condition: 'x',
    view_history: [{ page: 1 }],
  })
  expect(fits({ trials: [full, trial(1, { rt: null })] })).toBe(true)
  for (const bad of [
    { trials: [trial(0)] },
    { trials: [trial(0), trial(1), trial(1)] },
    { trials: [trial(0), trial(7)] },
    { trials: [trial(0, { rt: -1 }), trial(1)] },
    { trials: [trial(0, { rt: 'fast' }), trial(1)] },
    { trials: [trial(0, { trial_type: 'video' }), trial(1)] },
    { trials: [trial(0, { time_elapsed: 1e12 }), trial(1)] },
    { trials: [trial(0), trial(1)], more: 1 },
    { trials: 'all' },
    [],
  ])
    expect({ bad, fits: fits(bad) }).toEqual({ bad, fits: false })
})

test('trials must be those of the timeline, in the order shown, and not too large', () => {
  const verdictOn = (trials: object[]) =>
    evaluateResponse(component, { trials }, { elapsedMs: 5_000, attempt: 1 })
  expect(verdictOn([trial(0), trial(1, { run: 1 })])).toEqual({ kind: 'accepted', isFinal: true })
  for (const trials of [
    [trial(1), trial(0)],
    [trial(0, { trial_type: 'instructions' }), trial(1)],
    [trial(0, { run: 1 }), trial(1)],
    [trial(0, { response: 'x'.repeat(92_160) }), trial(1)],
    [{}],
  ])
    expect(verdictOn(trials)).toMatchObject({ kind: 'refused' })
})
