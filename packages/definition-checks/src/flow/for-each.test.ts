import { expect, test } from 'vitest'
import { checkOnSaving } from '../check-on-saving.ts'

const issuesOf = (component: object, more: object = {}, state: object = {}): unknown => {
  const checked = checkOnSaving({
    name: 'Study',
    matching: { groupSize: 3 },
    variables: {
      given: { scope: 'participant', initial: 0 },
      fine: { scope: 'participant', initial: 0 },
      hidden: { scope: 'participant', initial: 0, secret: true },
      pot: 0,
    },
    states: [{ id: 's', components: [{ id: 'punish', forEach: 'others', ...component }], ...state }],
    ...more,
  })
  return 'issues' in checked ? checked.issues : []
}
const at = '/states/0/components/0'
const slider = { type: 'slider' }

test.each<[what: string, component: object]>([
  ['a slider', { ...slider, label: 'Points for {{each.alias}}', max: { from: 'each.given * 2' } }],
  ['a choice', { type: 'multiple_choice', options: ['a', { value: 'b', when: "each.role == 'x'" }] }],
  ['a text', { type: 'text_input', label: 'What was {{each.alias}} like?', required: false }],
  ['points to distribute', { type: 'constant_sum', items: ['a', 'b'], total: '{{10 + each.given}}' }],
  ['some of the others', { ...slider, when: 'each.given < self.given' }],
  ['all of them, under a condition', { ...slider, when: 'pot > 3' }],
])('[F59] %s can be asked for each of the others', (_what, component) => {
  expect(issuesOf(component)).toEqual([])
})

test.each<[what: string, component: object, path: string, message: string]>([
  ['what has its own button', { type: 'consent' }, '/forEach', '‘consent’ cannot be asked for each'],
  ['a file', { type: 'file_upload' }, '/forEach', 'other than files'],
  ['what asks nothing', { type: 'text', text: 'Hello' }, '/forEach', '‘text’ cannot be asked for each'],
  ['an unknown type', { type: 'my_own' }, '/forEach', '‘my_own’ cannot be asked for each'],
  [
    'a key',
    { type: 'multiple_choice', options: ['a', 'b'], correct: 'a' },
    '/correct',
    'score the answers in onEnd',
  ],
  ['another word', { ...slider, forEach: 'all' }, '/forEach', 'must be'],
  ['an unknown variable', { ...slider, label: '{{each.givven}}' }, '/label', 'did you mean ‘given’'],
  ['a secret', { ...slider, label: '{{each.hidden}}' }, '/label', '‘hidden’ is secret'],
  ['a secret limit', { ...slider, max: { from: 'each.hidden' } }, '/max/from', '‘hidden’ is secret'],
  [
    'who is asked by what is entered',
    { ...slider, when: 'each.given > answers.punish' },
    '/when',
    '‘each’ and ‘answers’ cannot stand in one condition',
  ],
])('[F59] %s cannot, and the finding says why', (_what, component, path, message) => {
  const found = expect.objectContaining({ path: at + path, message: expect.stringContaining(message) })
  expect(issuesOf(component)).toEqual(expect.arrayContaining([found]))
})

test('[F59] somebody alone has no others, and in groups of more than 50 nobody asks about all', () => {
  const message = (text: string) => [expect.objectContaining({ message: expect.stringContaining(text) })]
  expect(issuesOf(slider, { matching: undefined })).toEqual(message('there are no others'))
  expect(issuesOf(slider, { matching: { groupSize: 51 } })).toEqual(message('groups of up to 50 people'))
})

test('[F35,F59] what a text shows counts once for each of the others', () => {
  const label = Array.from({ length: 30 }, () => '{{each.given}}').join(' ')
  expect(issuesOf({ ...slider, label }, { matching: { groupSize: 34 } })).toEqual([])
  expect(issuesOf({ ...slider, label }, { matching: { groupSize: 36 } })).toEqual([
    { path: '/states/0', message: 'shows more than 1000 values in {{…}}' },
  ])
})

test('[F59] a page is not longer than a whole definition may be, however many are asked about', () => {
  const options = Array.from({ length: 60 }, (_, at) => `${at} ${'long '.repeat(80)}`)
  const long = (groupSize: number) =>
    issuesOf({ type: 'multiple_choice', options }, { matching: { groupSize } })
  expect(long(40)).toEqual([])
  expect(long(50)).toEqual([
    {
      path: '/states/0',
      message: expect.stringMatching(/about up to 49 others, a page of ‘s’ has \d+ char/),
    },
  ])
})

test('[F59] questions that read who answers them are found for every two people, and are refused where that is too much', () => {
  const asked = (count: number, settings: (at: number) => object, groupSize = 50) => {
    const components = Array.from({ length: count }, (_, at) => ({
      ...{ id: `q${at}`, type: 'slider', forEach: 'others' },
      ...settings(at),
    }))
    return issuesOf({ ...slider, forEach: undefined }, { matching: { groupSize } }, { components })
  }
  const tooMuch = (people: number) => [
    {
      path: '/states/0',
      message: expect.stringContaining(`it is possible in groups of up to ${people} people. Ask fewer`),
    },
  ]
  const ofBoth = (at: number) => ({ when: `each.given > self.given + ${at}` })
  expect(asked(10, ofBoth)).toEqual([])
  expect(asked(20, ofBoth)).toEqual(tooMuch(37))
  expect(asked(20, ofBoth, 37)).toEqual([])
  // What is asked of everybody alike, and a condition that all of them have, is found once.
  expect(asked(100, (at) => ({ when: `each.given > ${at}` }))).toEqual([])
  expect(asked(20, () => ({ when: 'each.role != role' }))).toEqual([])
  expect(asked(20, () => ({ max: { from: 'max(10, self.given + each.given)' } }))).toEqual(tooMuch(37))
  expect(asked(6, (at) => ({ when: `each.given > sum(others.given) + ${at}` }))).toEqual(tooMuch(32))
})

test('[F59] answers about all others that are too long to be sent together are refused on saving, with what fits', () => {
  const paragraph = (groupSize: number, maxLength?: number) =>
    issuesOf({ type: 'text_input', kind: 'paragraph', maxLength }, { matching: { groupSize } })
  expect(paragraph(5, 20_000)).toEqual([])
  expect(paragraph(6, 20_000)).toEqual([
    {
      path: at,
      message:
        'the answers about up to 5 others are sent together and can have 100047 bytes; the limit is 98304. Set ‘maxLength’ to 19651 or less, or make the groups smaller',
    },
  ])
  expect(paragraph(6, 19_651)).toEqual([])
  const rows = Array.from({ length: 30 }, (_, row) => `${row} ${'long '.repeat(14)}`)
  const matrix = (groupSize: number) =>
    issuesOf({ type: 'matrix', rows, columns: ['yes', 'no'] }, { matching: { groupSize } })
  expect(matrix(10)).toEqual([])
  expect(matrix(50)).toEqual([
    expect.objectContaining({ path: at, message: expect.stringMatching(/Shorten what can be answered/) }),
  ])
})

test.each([
  [
    'in other scripts',
    3,
    20_000,
    /^the answers about up to 2 others .* in scripts whose letters take several bytes each/,
  ],
  [
    'without a limit of its own',
    6,
    undefined,
    /have 100047 bytes; the limit is 98304. Set ‘maxLength’ to 19651 or less/,
  ],
  ['in other scripts and without a limit of its own', 3, undefined, undefined],
])('[F59] what is too long only %s is a warning at most', (_why, groupSize, maxLength, message) => {
  const say = { id: 'say', type: 'text_input', kind: 'paragraph', forEach: 'others', maxLength }
  const checked = checkOnSaving({
    name: 'Study',
    matching: { groupSize },
    states: [{ id: 's', components: [say] }],
  })
  expect('warnings' in checked && checked.warnings).toEqual(
    message ? [{ path: at, message: expect.stringMatching(message) }] : [],
  )
})

test('[F59] only such a component has ‘each’, and a setting of this name has no other place', () => {
  const message = expect.stringContaining('‘each’ is one of the others, and only')
  expect(issuesOf({ ...slider, forEach: undefined, label: '{{each.alias}}' })).toEqual([
    { path: `${at}/label`, message },
  ])
  expect(issuesOf(slider, {}, { instructions: '{{each.alias}}' })).toEqual([
    { path: '/states/0/instructions', message },
  ])
  expect(issuesOf(slider, {}, { onEnd: { fine: 'each.given' } })).toEqual([
    { path: '/states/0/onEnd/fine', message },
  ])
  const clock = { id: 'clock', type: 'timer', forEach: 'others' }
  expect(issuesOf(slider, { globalComponents: [clock] })).toEqual([
    expect.objectContaining({ path: '/globalComponents/0/forEach' }),
  ])
})

test.each<[text: string, message: string]>([
  ['sum(response.punish)', 'use sum(values(response.punish))'],
  ['count(response.punish, 3)', 'use count(values(response.punish))'],
  ['sum(received.punsh)', 'did you mean ‘punish’'],
  ['received', '‘received’ needs the name of a component that is asked for each of the others'],
  ["sum('a')", '‘sum’ needs numbers'],
  ['values([1])', '‘values’ needs an object, not a list'],
])('[F59] %s is refused with what to write', (text, message) => {
  expect(issuesOf(slider, {}, { onEnd: { fine: text } })).toEqual([
    { path: '/states/0/onEnd/fine', message: expect.stringContaining(message) },
  ])
})

test('[F59] what was given and received can be added up, by each participant', () => {
  const onEnd = { given: 'sum(values(response.punish))', fine: 'sum(received.punish) + response.punish.P1' }
  expect(issuesOf(slider, {}, { onEnd })).toEqual([])
  expect(issuesOf(slider, {}, { onEnd: { pot: 'sum(received.punish)' } })).toEqual([
    expect.objectContaining({ message: expect.stringContaining('is different for each participant') }),
  ])
  expect(
    issuesOf({ ...slider, forEach: undefined }, {}, { onEnd: { fine: 'sum(received.punish)' } }),
  ).toEqual([
    expect.objectContaining({
      message: expect.stringContaining('no component is asked for each of the others'),
    }),
  ])
})
