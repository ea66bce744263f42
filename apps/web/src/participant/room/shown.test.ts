import type { RoomSnapshot } from '@atrium/contract'
import { createShown, parseExpression } from '@atrium/expressions'
import { beforeAll, describe, expect, test } from 'vitest'
import { planSending } from './answering.ts'
import { draftKept, draftsShown, loadConditions, offeredIn, readsOf, shownAmong } from './shown.ts'

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

describe('[R61] what was chosen among options and rows that are not shown any more', () => {
  const grid = {
    id: 'grid',
    type: 'matrix',
    rows: ['read', { value: 'commute', when: tree("answers.work == 'yes'") }],
    columns: ['never', 'often'],
  }
  const pick = {
    id: 'pick',
    type: 'multiple_choice',
    multiple: true,
    options: ['a', { value: 'b', when: tree("answers.work == 'yes'") }, 'c'],
  }
  const after = { id: 'after', type: 'text_input', when: tree("contains(answers.pick, 'b')") }
  const whole = [{ id: 'work', type: 'dropdown', options: ['yes', 'no'] }, grid, pick, after]
  const shown = (entered: Record<string, unknown>) => shownAmong(whole, (id) => entered[id])
  const both = { read: 'often', commute: 'never' }

  test('is not sent', () => {
    const drafts = { work: 'no', grid: both, pick: ['a', 'b'], after: 'because' }
    const page = shown(drafts)
    const { answers, problems } = planSending(page, draftsShown(page, drafts), self)
    expect(problems).toEqual({})
    expect(answers.map(({ component, value }) => [component.id, value])).toEqual([
      ['work', 'no'],
      ['grid', { read: 'often' }],
      ['pick', ['a']],
    ])
  })

  test('decides nothing', () => {
    const ids = (work: string) => shown({ work, pick: ['b'] }).map(({ id }) => id)
    expect([ids('yes'), ids('no')]).toEqual([
      ['work', 'grid', 'pick', 'after'],
      ['work', 'grid', 'pick'],
    ])
  })

  test('is no answer where nothing else was chosen', () => {
    const drafts = { work: 'no', grid: { commute: 'often' }, pick: ['b'] }
    const page = shown(drafts)
    expect(draftsShown(page, drafts)).toEqual({ work: 'no' })
  })

  test('is kept beside what is entered meanwhile', () => {
    const [, rows, choices] = shown({ work: 'no' })
    expect(draftKept(rows, both, { read: 'never' })).toEqual({ read: 'never', commute: 'never' })
    expect(draftKept(choices, ['a', 'b'], ['c'])).toEqual(['c', 'b'])
    expect(draftKept(choices, ['a', 'b'], undefined)).toBeUndefined()
  })

  test('is there again with them, which are counted for who is told of them', () => {
    const drafts = { work: 'yes', grid: both, pick: ['a', 'b'] }
    const page = shown(drafts)
    expect(draftsShown(page, drafts)).toEqual(drafts)
    expect(page.map(offeredIn)).toEqual([0, 1, 1, 0])
    expect(shown({ work: 'no' }).map(offeredIn)).toEqual([0, 0, 0])
  })

  test('does not loop where options wait for each other, as in a definition that was never checked', () => {
    const circular = { ...pick, options: ['a', { value: 'b', when: tree("contains(answers.pick, 'b')") }] }
    expect(shownAmong([circular], () => ['b'])).toHaveLength(1)
  })
})

test('[R61] a question of which no option is left is not shown, and what it decides neither', () => {
  const pick = {
    id: 'pick',
    type: 'dropdown',
    options: [{ value: 'a', when: tree("answers.work == 'yes'") }],
  }
  const next = { id: 'next', type: 'slider', when: tree("answers.pick == 'a'") }
  const ids = (entered: Record<string, unknown>) =>
    shownAmong([pick, next], (id) => entered[id]).map(({ id }) => id)
  expect(ids({ pick: 'a' })).toEqual([])
})

test('[R61] a ranking is entered anew once there are other items', () => {
  const ranking = {
    id: 'order',
    type: 'ranking',
    items: ['a', 'b', { value: 'c', when: tree('answers.age > 17') }],
  }
  const [few] = shownAmong([ranking, age], () => 3)
  expect(draftKept(few, ['c', 'a', 'b'], ['b', 'a'])).toEqual(['b', 'a'])
})
