import { expect, test } from 'vitest'
import { checkOnSaving } from '../check-on-saving.ts'

const findingsOf = (components: object[], more: object = {}): unknown => {
  const checked = checkOnSaving({
    name: 'Study',
    variables: { given: { scope: 'participant', initial: 0 }, hidden: { initial: 1, secret: true } },
    states: [{ id: 's', components, ...more }],
  })
  return 'issues' in checked ? checked : { issues: [] }
}

const work = { id: 'work', type: 'multiple_choice', options: ['yes', 'no'] }
const hours = { id: 'hours', type: 'slider', when: "answers.work == 'yes'" }
const note = { id: 'note', type: 'text', text: 'A note' }

test('[F57] components, options and rows have conditions that read the answers of the same page', () => {
  const rows = {
    id: 'grid',
    type: 'matrix',
    columns: ['a', 'b'],
    rows: ['x', { value: 'y', when: 'answers.hours > 3' }],
  }
  const options = [{ value: 1, when: "answers.work == 'no' && given > 2" }, 2, 3]
  expect(findingsOf([work, hours, rows, { id: 'pick', type: 'multiple_choice', options }])).toEqual({
    issues: [],
  })
  const next = [{ to: 'end', when: "answers.work == 'no'" }]
  expect(findingsOf([work], { next })).toEqual({ issues: [] })
})

test.each<[string, object[], object]>([
  [
    'an unknown component',
    [work, { ...hours, when: 'answers.wrok' }],
    { path: '/states/0/components/1/when', message: expect.stringContaining('did you mean ‘work’?') },
  ],
  [
    'a component without answers',
    [note, { ...work, when: 'answers.note' }],
    { message: expect.stringContaining('‘note’ is not a component of this page that takes answers') },
  ],
  [
    'a mistake in an option',
    [{ ...work, options: ['a', { value: 'b', when: 'nothing > 1' }] }],
    { path: '/states/0/components/0/options/1/when' },
  ],
  [
    'its own answer',
    [{ ...work, when: 'answers.work' }],
    { message: expect.stringContaining('depends on its own answer') },
  ],
  [
    'each other',
    [{ ...work, when: 'answers.hours' }, hours],
    { message: expect.stringContaining('depends on its own answer') },
  ],
  [
    'a secret beside what is entered',
    [work, { ...hours, when: 'answers.work == hidden' }],
    { message: expect.stringContaining('‘hidden’ is secret') },
  ],
  ['a syntax error', [{ ...work, when: '1 +' }], { message: expect.stringContaining('syntax error') }],
  [
    'a draw',
    [{ ...work, when: 'drawInt(1, 2) == 1' }],
    { message: expect.stringContaining('is drawn only where') },
  ],
])('[F57] a condition that reads %s is refused', (_what, components, issue) => {
  expect(findingsOf(components)).toMatchObject({ issues: [issue] })
})

test('[F57] a condition may be secret where the server decides alone', () => {
  expect(findingsOf([{ ...work, when: 'hidden == 1' }])).toEqual({ issues: [] })
})

test('[F57] answers of a page are read nowhere else', () => {
  const onEnd = { given: 'answers.work' }
  expect(findingsOf([work], { onEnd })).toMatchObject({
    issues: [{ message: expect.stringContaining('it can be used in ‘when’ only; here, use response.x') }],
  })
})
