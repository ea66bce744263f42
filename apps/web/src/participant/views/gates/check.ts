import { recordIn } from '../questions/answer.ts'
import type { Option, OptionValue } from '../settings/options.ts'

export interface CheckQuestion {
  id: string
  label: string | undefined
  /** Undefined if the answer is typed. */
  options: readonly Option[] | undefined
  multiple: boolean
}

export type CheckAnswer = OptionValue | readonly OptionValue[]
export type CheckAnswers = Readonly<Record<string, CheckAnswer>>

/** R61: without options that are not offered any more, because of what was entered beside them. */
export const offeredAnswers = (questions: readonly CheckQuestion[], answers: CheckAnswers): CheckAnswers =>
  Object.fromEntries(
    questions.flatMap(({ id, options }): [string, CheckAnswer][] => {
      const answer = answers[id]
      const isOffered = (value: OptionValue): boolean =>
        options === undefined || options.some((option) => option.value === value)
      if (typeof answer === 'object') return [[id, answer.filter(isOffered)]]
      return answer !== undefined && isOffered(answer) ? [[id, answer]] : []
    }),
  )

/** The questions without an answer. Choosing none of several options is an answer. */
export const unanswered = (questions: readonly CheckQuestion[], answers: CheckAnswers): string[] =>
  questions
    .filter(({ id, multiple, options }) => !(multiple && options) && isEmpty(answers[id]))
    .map(({ id }) => id)

const isEmpty = (answer: CheckAnswer | undefined) =>
  answer === undefined || (typeof answer === 'string' && answer.trim() === '')

/** The response in the form of the contract: exactly one entry for each question. */
export const checkResponse = (questions: readonly CheckQuestion[], answers: CheckAnswers) => ({
  answers: Object.fromEntries(
    questions.map(({ id, multiple, options }) => [id, answers[id] ?? (multiple && options ? [] : '')]),
  ),
})

/** The answers of the last attempt. */
export function answersIn(recorded: unknown): CheckAnswers {
  const answers = recordIn(recordIn(recorded).answers)
  return Object.fromEntries(
    Object.entries(answers).filter((entry): entry is [string, CheckAnswer] => isCheckAnswer(entry[1])),
  )
}

const isValue = (value: unknown): value is OptionValue =>
  typeof value === 'string' || typeof value === 'number'
const isCheckAnswer = (value: unknown): value is CheckAnswer =>
  isValue(value) || (Array.isArray(value) && value.every(isValue))

export type Verdict =
  | { kind: 'open'; attemptsLeft: number }
  | { kind: 'wrong'; attemptsLeft: number; wrong: readonly unknown[] }
  | { kind: 'passed' }
  | { kind: 'failed' }

/** The server’s verdict on the attempts so far. */
export function verdictOf(
  result: Readonly<Record<string, unknown>> | undefined,
  maxAttempts: number,
): Verdict {
  if (typeof result?.passed !== 'boolean') return { kind: 'open', attemptsLeft: maxAttempts }
  if (result.passed) return { kind: 'passed' }
  const { attemptsLeft, wrong } = result
  if (typeof attemptsLeft !== 'number' || attemptsLeft <= 0) return { kind: 'failed' }
  return { kind: 'wrong', attemptsLeft, wrong: Array.isArray(wrong) ? wrong : [] }
}
