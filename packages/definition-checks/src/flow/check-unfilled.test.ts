import { describe, expect, test } from 'vitest'
import { checkOnSaving } from '../check-on-saving.ts'

const findingsOf = (definition: object): unknown => {
  const checked = checkOnSaving(definition)
  return 'issues' in checked ? checked : checked.warnings
}

const variables = { pot: 0, given: { scope: 'participant', initial: 0 } }

const study = (component: object, more: object = {}) => ({
  name: 'Study',
  variables,
  states: [{ id: 's', components: [{ id: 'c', ...component }] }],
  ...more,
})

const at = '/states/0/components/0'

describe('[R61] [F51] {{…}} is refused where it would stay as it is', () => {
  test.each<[component: object, path: string]>([
    [{ type: 'video', videoId: '{{pot}}' }, '/videoId'],
    [{ type: 'custom_html', html: '<p>You have {{pot}}</p>' }, '/html'],
  ])('%j', (component, path) => {
    expect(findingsOf(study(component))).toMatchObject({
      issues: [{ path: at + path, message: expect.stringContaining('is not filled in here') }],
    })
  })

  test.each<[more: object, path: string]>([
    [{ agentInstructions: 'The pot is {{pot}}' }, '/agentInstructions'],
    [{ appearance: { logo: '/{{pot}}.png' } }, '/appearance/logo'],
    [{ variables: { ...variables, greeting: 'Hello {{pot}}' } }, '/variables/greeting'],
    [{ completion: { codes: { SUCCESS: '{{pot}}' } } }, '/completion/codes/SUCCESS'],
  ])('%j', (more, path) => {
    expect(findingsOf(study({ type: 'text' }, more))).toMatchObject({
      issues: [{ path, message: expect.stringContaining('{{…}} works in texts that participants read') }],
    })
  })

  test('what stands elsewhere for itself is left alone', () => {
    const own = {
      description: 'We show {{pot}}',
      metadata: { note: '{{pot}}' },
      completion: { redirectUrl: 'https://example.org/?cc={{code}}' },
    }
    expect(findingsOf(study({ type: 'text', text: '{{pot}}' }, own))).toEqual([])
    expect(findingsOf(study({ type: 'my_own', template: '{{pot}}' }))).toMatchObject([{ path: `${at}/type` }])
  })

  test('a page with a script of its own may have a use for it, which is a warning', () => {
    const html = '<p>{{pot}}</p><script src="/vue.js"></script>'
    expect(findingsOf(study({ type: 'custom_html', html, data: { text: '{{pot}}' } }))).toMatchObject([
      { path: `${at}/html` },
      { path: `${at}/data/text` },
    ])
  })
})

describe('[R61] [F52] an expression cannot read what no response has', () => {
  const components = [
    { id: 'mood', type: 'slider' },
    { id: 'word', type: 'text_input' },
    { id: 'pick', type: 'multiple_choice', options: ['a', 'b'] },
    { id: 'habits', type: 'matrix', rows: ['read', 'walk'], columns: ['never', 'often'] },
    { id: 'page', type: 'custom_html', html: '<p>' },
    { id: 'talk', type: 'chat' },
    { id: 'film', type: 'video', src: '/film.mp4' },
    { id: 'check', type: 'instructions', questions: [{ id: 'q', options: [1, 2], correct: 1 }] },
  ]
  const withExpression = (expression: string) =>
    findingsOf({
      name: 'Study',
      variables: { x: null, anything: { some: { deep: 1 } } },
      states: [{ id: 's', components, onEnd: { x: expression } }],
    })

  test.each([
    [
      'response.mood.responseTime',
      '‘response.mood’ has no ‘responseTime’; it is a number, without fields. How long',
    ],
    ['response.word.length', '‘response.word’ has no ‘length’; it is text, without fields'],
    ['response.pick.label', '‘response.pick’ has no ‘label’; it is one of its values, without fields'],
    ['response.habits.sing', '‘response.habits’ has no ‘sing’; it has ‘read’, ‘walk’'],
    ['response.film.duration', '‘response.film’ has no ‘duration’; it has ‘ended’, ‘positionMs’. How long'],
    ['response.check.answers.p', '‘response.check.answers’ has no ‘p’; it has ‘q’'],
    ['responses.mood[0].value', '‘responses.mood.0’ has no ‘value’; it is a number, without fields'],
    ['response.talk', 'component ‘talk’ does not accept responses, so ‘response.talk’ is always empty'],
    ['participant.given', 'variable ‘participant’ does not exist; what belongs to a participant'],
    ['others.given', '‘given’ is not a participant variable, so ‘others.given’ does not exist'],
    ['condition.frame', 'a condition has no items or fields; only conditions with factors have those'],
    ['participants.count', 'a number has no items or fields'],
  ])('%s', (expression, message) => {
    expect(withExpression(expression)).toMatchObject({
      issues: [{ path: '/states/0/onEnd/x', message: expect.stringContaining(message) }],
    })
  })

  test.each([
    'response.habits.read',
    "response['habits']['walk']",
    'response.page.anything.at.all',
    'response.check.answers.q',
    'response.film.positionMs',
    'responses.habits[0].read',
    'anything.some.other',
  ])('%s is accepted', (expression) => {
    expect(withExpression(expression)).toEqual([])
  })

  test('of components with the same id in several states, either response counts', () => {
    const states = [
      { id: 'a', components: [{ id: 'q', type: 'slider' }] },
      {
        id: 'b',
        components: [{ id: 'q', type: 'matrix', rows: ['r'], columns: ['c'] }],
        onEnd: { x: 'response.q.r' },
      },
    ]
    expect(findingsOf({ name: 'Study', variables: { x: null }, states })).toEqual([])
  })
})

test('[R61] [F53] the end of a state has the fields of its kind only', () => {
  const ending = (end: object) =>
    findingsOf(study({ type: 'slider' }, { states: [{ id: 's', components: [], end }] }))
  expect(ending({ on: 'timed', afterMs: 10, afterMS: 5 })).toMatchObject({
    issues: [
      {
        path: '/states/0/end/afterMS',
        message: 'an end of the kind ‘timed’ has no ‘afterMS’; did you mean ‘afterMs’?',
      },
    ],
  })
  expect(ending({ on: 'timed', afterMs: 10, label: 'Next' })).toMatchObject({
    issues: [{ path: '/states/0/end/label' }],
  })
  expect(ending({ on: 'button', label: 'Next' })).toEqual([])
})
