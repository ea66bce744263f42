import type { RoomSnapshot } from '@atrium/contract'
import { expect, test } from 'vitest'
import { isAnswered, isPartDone, planSending, problemWith } from './answering.ts'

const self = (more: Partial<RoomSnapshot['self']> = {}): RoomSnapshot['self'] => ({
  participantId: 'p',
  alias: 'A',
  role: 'participant',
  status: 'active',
  outcome: null,
  ready: false,
  responses: {},
  results: {},
  variables: {},
  ...more,
})
const likert = { id: 'l', type: 'likert', points: 5 }
const optional = { id: 'o', type: 'text_input', required: false }
const consent = { id: 'c', type: 'consent', text: 'Agree?' }

test('the button sends complete answers, reports missing ones and skips optional questions', () => {
  const plan = planSending([likert, optional, consent], {}, self())
  expect(plan).toEqual({ answers: [], problems: { l: 'Please answer this question.' }, missing: [consent] })
  const full = planSending([likert, optional], { l: 3, o: 'yes' }, self())
  expect(full.answers.map(({ value }) => value)).toEqual(['yes', 3])
  expect(full.problems).toEqual({})
})

test('what is required is sent last, because it may end the state for everybody', () => {
  const other = { ...likert, id: 'k' }
  const { answers } = planSending([likert, optional, other], { l: 3, o: 'yes', k: 2 }, self())
  expect(answers.map(({ component }) => component.id)).toEqual(['o', 'l', 'k'])
})

test('what the room has stored is not sent again', () => {
  const plan = planSending([likert], { l: 3 }, self({ responses: { l: 3 } }))
  expect(plan).toEqual({ answers: [], problems: {}, missing: [] })
})

test('an answer that the room would refuse is not sent, and the message says what is allowed', () => {
  const age = { id: 'age', type: 'text_input', kind: 'number', min: 18, max: 99 }
  expect(problemWith(age, 12)).toBe('Please enter a number from 18 to 99.')
  expect(problemWith(age, 42)).toBeUndefined()
  const several = {
    id: 'm',
    type: 'multiple_choice',
    options: ['a', 'b', 'c'],
    multiple: true,
    minChoices: 2,
  }
  expect(problemWith(several, ['a'])).toBe('Please choose at least 2.')
  expect(problemWith({ ...several, maxChoices: 2 }, ['a'])).toBe('Please choose 2.')
  expect(planSending([age], { age: 12 }, self()).answers).toEqual([])
})

test('a failed check stays open until it is passed or no attempts are left', () => {
  const check = { id: 'i', type: 'instructions', questions: [{ id: 'q', options: [1, 2] }] }
  const after = (result: object) => self({ responses: { i: {} }, results: { i: result } })
  expect(isAnswered(check, after({ passed: false, attemptsLeft: 2 }))).toBe(false)
  expect(isAnswered(check, after({ passed: false, attemptsLeft: 0 }))).toBe(true)
  expect(isAnswered(check, after({ passed: true, attemptsLeft: 2 }))).toBe(true)
})

test('only the others are awaited once everything is answered and the video has ended', () => {
  const video = { id: 'f', type: 'video', src: '/film.mp4' }
  const rating = { id: 'r', type: 'sparse_rating', atMs: [500] }
  const text = { id: 't', type: 'text', text: 'Hello' }
  const after = (responses: RoomSnapshot['self']['responses']) => self({ responses })
  expect(isPartDone([video, rating], self())).toBe(false)
  expect(isPartDone([video, rating], after({ r: { atMs: 500, value: 1 } }))).toBe(false)
  expect(isPartDone([video, rating], after({ f: { ended: true } }))).toBe(true)
  // The video plays on, but what was sent is saved.
  expect(isPartDone([video, likert], self())).toBe(false)
  expect(isPartDone([video, likert], after({ l: 3 }))).toBe(true)
  expect(isPartDone([text, consent], self())).toBe(false)
  expect(isPartDone([text, consent], after({ c: { agreed: true } }))).toBe(true)
  // Nothing was asked, so nothing is saved.
  expect(isPartDone([text], self())).toBe(false)
})
