import { expect, test } from 'vitest'
import { checkOnSaving } from '../check-on-saving.ts'

const findingsOf = (definition: object): unknown => {
  const checked = checkOnSaving(definition)
  return 'issues' in checked ? checked : { issues: [] }
}

const variables = {
  given: { scope: 'participant', initial: 0 },
  x: { scope: 'participant', initial: 0 },
  pot: 0,
}
const state = (id: string, more: object = {}) => ({ id, components: [], ...more })
const pair = (more: object, declared: object = variables, size = 2) => ({
  name: 'Study',
  variables: declared,
  matching: { groupSize: size },
  states: [state('a', more), state('b')],
})

test.each([
  'sum(others.given)',
  'self.given + 1',
  "contains(others.role, 'seller')",
  'length(others.alias)',
  'metadata.age > 30',
  'elapsedMs / 1000',
])('[F56] %s can be assigned to a participant variable when a state ends', (text) => {
  expect(findingsOf(pair({ onEnd: { x: text } }))).toMatchObject({ issues: [] })
})

test.each([
  [
    'others.givven',
    '‘givven’ is not a participant variable, so ‘others.givven’ does not exist; did you mean ‘given’?',
  ],
  ['others.pot', '‘pot’ is not a participant variable'],
  ['metadata.PROLIFIC_PID', 'says who somebody is'],
  ['others', '‘others’ needs the name of a participant variable, as in others.given'],
  ["self['gi' + 'ven']", '‘self’ needs the name of a participant variable, as in self.given'],
])('[F56] %s is refused with what to write', (text, message) => {
  expect(findingsOf(pair({ onEnd: { x: text } }))).toMatchObject({
    issues: [{ path: '/states/0/onEnd/x', message: expect.stringContaining(message) }],
  })
})

test('[F56] what differs between participants cannot be computed for the whole room', () => {
  const message = expect.stringContaining('is different for each participant')
  expect(findingsOf(pair({ onEnd: { pot: 'sum(others.given)' } }))).toMatchObject({ issues: [{ message }] })
  expect(findingsOf(pair({ next: [{ to: 'b', when: 'metadata.age > 30' }] }))).toMatchObject({
    issues: [{ message }],
  })
})

test('[F56] expressions read others in groups of up to 50', () => {
  const message = expect.stringContaining(
    'in groups of more than 50 people, ‘others’ can be read in texts only',
  )
  expect(findingsOf(pair({ onEnd: { x: 'sum(others.given)' } }, variables, 51))).toMatchObject({
    issues: [{ message }],
  })
})

test('[F56] elapsedMs can be read where a value is found once, at the end of a state', () => {
  const message = expect.stringContaining('‘elapsedMs’ changes all the time')
  expect(findingsOf(pair({ onEnter: { x: 'elapsedMs' } }))).toMatchObject({ issues: [{ message }] })
  expect(findingsOf(pair({ end: { on: 'condition', when: 'elapsedMs > 5' } }))).toMatchObject({
    issues: [{ message }],
  })
  expect(findingsOf(pair({ next: [{ to: 'b', when: 'elapsedMs > 5' }] }))).toMatchObject({ issues: [] })
})

test('[F56] a variable comes before what is called the same', () => {
  const declared = {
    ...variables,
    others: { initial: { given: 1 } },
    elapsedMs: 5,
    metadata: { initial: {} },
  }
  expect(
    findingsOf(pair({ onEnter: { x: 'others.given + elapsedMs + metadata.anything' } }, declared)),
  ).toMatchObject({ issues: [] })
})

test('[F56] variables that are computed from each other through others are a circle', () => {
  const declared = {
    a: { scope: 'participant', compute: 'sum(others.b)' },
    b: { scope: 'participant', compute: 'self.a + 1' },
  }
  expect(findingsOf(pair({}, declared))).toMatchObject({
    issues: [{ message: 'circular computation: a → b → a' }],
  })
})
