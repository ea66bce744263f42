import { responseSchemaOf } from '@atrium/contract/components'
import { Value } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import {
  answersIn,
  type CheckQuestion,
  checkResponse,
  offeredAnswers,
  unanswered,
  verdictOf,
} from './check.ts'
import { waitText } from './consent-view.tsx'

const options = [0, 5].map((value) => ({ value, label: String(value), image: undefined, alt: '' }))
const questions: CheckQuestion[] = [
  { id: 'one', label: undefined, options, multiple: false },
  { id: 'several', label: undefined, options, multiple: true },
  { id: 'typed', label: undefined, options: undefined, multiple: false },
]

describe('a comprehension check', () => {
  it('needs an answer to each question; none of several options is an answer', () => {
    expect(unanswered(questions, {})).toEqual(['one', 'typed'])
    expect(unanswered(questions, { one: 0, typed: '  ' })).toEqual(['typed'])
    expect(unanswered(questions, { one: 0, typed: 'ten' })).toEqual([])
  })

  it('[R61] neither counts nor sends a choice whose condition is not met any more', () => {
    const now = questions.map((question) => ({ ...question, options: question.options?.slice(1) }))
    const chosen = { one: 0, several: [0, 5], typed: 'ten' }
    expect(offeredAnswers(questions, chosen)).toEqual(chosen)
    expect(offeredAnswers(now, chosen)).toEqual({ several: [5], typed: 'ten' })
    expect(unanswered(now, offeredAnswers(now, chosen))).toEqual(['one'])
  })

  it('sends what the contract accepts, and reads it back', () => {
    const response = checkResponse(questions, { one: 0, typed: 'ten' })
    expect(response).toEqual({ answers: { one: 0, several: [], typed: 'ten' } })
    const asWritten = {
      id: 'q',
      type: 'instructions',
      questions: [
        { id: 'one', options: [0, 5], correct: 0 },
        { id: 'several', options: [0, 5], multiple: true, correct: [0] },
        { id: 'typed', correct: 'ten' },
      ],
    }
    expect(Value.Check(responseSchemaOf(asWritten) ?? {}, response)).toBe(true)
    expect(answersIn(response)).toEqual(response.answers)
    expect(answersIn('something else')).toEqual({})
  })

  it('learns from the server’s result whether there are attempts left', () => {
    expect(verdictOf(undefined, 3)).toEqual({ kind: 'open', attemptsLeft: 3 })
    expect(verdictOf({ passed: false, attemptsLeft: 1, wrong: ['one'] }, 3)).toEqual({
      kind: 'wrong',
      attemptsLeft: 1,
      wrong: ['one'],
    })
    expect(verdictOf({ passed: false, attemptsLeft: 0 }, 3)).toEqual({ kind: 'failed' })
    expect(verdictOf({ passed: true, attemptsLeft: 2, wrong: [] }, 3)).toEqual({ kind: 'passed' })
  })
})

describe('the wait before the participant can agree', () => {
  it('says what is missing, and nothing if nothing is', () => {
    expect(waitText({ leftMs: 4_100, mustSeeEnd: false })).toBe('You can agree in 5 seconds.')
    expect(waitText({ leftMs: 900, mustSeeEnd: true })).toBe(
      'You can agree in 1 second, once you have read to the end.',
    )
    expect(waitText({ leftMs: -5, mustSeeEnd: true })).toBe('You can agree once you have read to the end.')
    expect(waitText({ leftMs: 0, mustSeeEnd: false })).toBe('')
  })
})
