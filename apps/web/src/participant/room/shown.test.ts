import type { RoomSnapshot } from '@atrium/contract'
import { createShown, parseExpression } from '@atrium/expressions'
import { beforeAll, expect, test } from 'vitest'
import { planSending } from './answering.ts'
import { loadConditions, readsOf, shownAmong } from './shown.ts'

function tree(text: string) {
  const parsed = parseExpression(text)
  if (!parsed.ok) throw new Error(parsed.message)
  return JSON.parse(JSON.stringify(parsed.expression.root))
}

const work = {
  id: 'work',
  type: 'multiple_choice',
  options: ['yes', { value: 'no', when: tree('answers.age > 17') }],
}
const hours = { id: 'hours', type: 'likert', points: 5, when: tree("answers.work == 'yes'") }
const why = { id: 'why', type: 'text_input', required: false, when: tree('answers.hours > 3') }
const age = { id: 'age', type: 'slider' }
const components = [work, hours, why, age]
const self = {
  participantId: 'p',
  alias: 'A',
  role: 'participant',
  status: 'active',
  outcome: null,
  ready: false,
  responses: {},
  results: {},
  variables: {},
} satisfies RoomSnapshot['self']
const shownWith = (entered: Record<string, unknown>) => shownAmong(components, (id) => entered[id])

beforeAll(async () => {
  await loadConditions(components)
  expect(createShown).toBeTypeOf('function')
})

test('[R61] a page shows what its answers ask for, and follows when they change', () => {
  expect(shownWith({}).map(({ id }) => id)).toEqual(['work', 'age'])
  expect(shownWith({ work: 'yes', hours: 4 }).map(({ id }) => id)).toEqual(['work', 'hours', 'why', 'age'])
  expect(shownWith({ work: 'no', hours: 4 }).map(({ id }) => id)).toEqual(['work', 'age'])
})

test('[R61] options come and go; a component stays the same object while they are the same', () => {
  const [young] = shownWith({ age: 12 })
  const [old] = shownWith({ age: 20 })
  expect([young?.options, old?.options]).toEqual([['yes'], ['yes', { value: 'no' }]])
  expect(shownWith({ age: 30 })[0]).toBe(old)
  expect(shownWith({ age: 30 })[1]).toBe(age)
})

test('[R61] answers are sent before those of questions that they bring, and hidden ones are not', () => {
  const drafts = { work: 'yes', hours: 4, why: 'because', age: 20 }
  const reads = (id: string) => readsOf(components.find((one) => one.id === id) ?? age)
  const sent = (entered: Record<string, unknown>) =>
    planSending(shownWith(entered), entered, self, reads).answers.map(({ component }) => component.id)
  expect(sent(drafts)).toEqual(['age', 'work', 'hours', 'why'])
  expect(sent({ ...drafts, hours: 2 })).toEqual(['age', 'work', 'hours'])
})
