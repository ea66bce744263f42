import { useId, useMemo, useState } from 'react'
import { texts } from '../../../text/participant.ts'
import { asOneLine, listIn } from '../questions/answer.ts'
import { Choice } from '../questions/multiple-choice.tsx'
import { Problem, Refusal } from '../questions/problem.tsx'
import { optionsOf } from '../settings/options.ts'
import type { SettledProps } from '../settings/with-settings.tsx'
import {
  answersIn,
  type CheckAnswer,
  type CheckAnswers,
  type CheckQuestion,
  checkResponse,
  offeredAnswers,
  unanswered,
  type Verdict,
  verdictOf,
} from './check.ts'
import { useSending } from './use-sending.ts'
import './gates.css'

/** Questions about the instructions. Only the server knows the correct answers; it says which were wrong. */
export function ComprehensionCheck(props: SettledProps<'instructions'>) {
  const { settings, send, recorded, result, isLocked } = props
  const { maxAttempts } = settings
  const questions = useMemo(() => settings.questions.map(questionOf), [settings.questions])
  const { isSending, refusal, submit } = useSending(send)
  const [chosen, setChosen] = useState<CheckAnswers>(() => answersIn(recorded))
  const answers = offeredAnswers(questions, chosen)
  const [hasTried, setHasTried] = useState(false)
  const verdict = verdictOf(result, maxAttempts)
  const isOver = verdict.kind === 'passed' || verdict.kind === 'failed'
  const missing = unanswered(questions, answers)
  const lastAnswers = answersIn(recorded)
  const check = () => {
    setHasTried(missing.length > 0)
    if (missing.length === 0) void submit(checkResponse(questions, answers))
  }
  const problemOf = ({ id }: CheckQuestion): string | undefined => {
    if (hasTried && missing.includes(id)) return texts().problems.unanswered
    const isSame = JSON.stringify(answers[id]) === JSON.stringify(lastAnswers[id])
    return verdict.kind === 'wrong' && verdict.wrong.includes(id) && isSame
      ? texts().views.check.notRightYet
      : undefined
  }
  return (
    <>
      {questions.map((question) => (
        <CheckQuestionField
          key={question.id}
          question={question}
          answer={answers[question.id]}
          problem={problemOf(question)}
          isFixed={isOver || isLocked || isSending}
          onAnswer={(answer) => setChosen({ ...chosen, [question.id]: answer })}
        />
      ))}
      <VerdictText verdict={verdict} />
      <Refusal message={refusal} />
      {!isOver && (
        <button type="button" className="button" disabled={isLocked || isSending} onClick={check}>
          {texts().views.check.submit}
        </button>
      )}
    </>
  )
}

const questionOf = ({
  options,
  ...question
}: SettledProps<'instructions'>['settings']['questions'][number]): CheckQuestion => ({
  ...question,
  options: options && optionsOf(options),
})

function VerdictText({ verdict }: { verdict: Verdict }) {
  const { attemptsLeft, someWrong, passed, failed } = texts().views.check
  switch (verdict.kind) {
    case 'open':
      return <p className="hint">{attemptsLeft(verdict.attemptsLeft)}</p>
    case 'wrong':
      return (
        <p className="notice is-bad" role="status">
          {someWrong(attemptsLeft(verdict.attemptsLeft))}
        </p>
      )
    case 'passed':
      return (
        <p className="notice is-good" role="status">
          {passed}
        </p>
      )
    case 'failed':
      return (
        <p className="notice is-warning" role="status">
          {failed}
        </p>
      )
  }
}

interface FieldProps {
  question: CheckQuestion
  answer: CheckAnswer | undefined
  problem: string | undefined
  isFixed: boolean
  onAnswer(answer: CheckAnswer): void
}

function CheckQuestionField({ question, answer, problem, isFixed, onAnswer }: FieldProps) {
  const id = useId()
  const { options, multiple, label = question.id } = question
  const describedBy = problem === undefined ? undefined : `${id}-problem`
  const text = problem !== undefined && <Problem id={`${id}-problem`}>{problem}</Problem>
  if (options === undefined)
    return (
      <div className="question" data-problem={problem !== undefined || undefined}>
        <label className="question-label" htmlFor={id}>
          {label}
        </label>
        <input
          id={id}
          className="text-field"
          value={String(answer ?? '')}
          maxLength={1_000}
          readOnly={isFixed}
          aria-describedby={describedBy}
          aria-invalid={problem !== undefined}
          onChange={(event) => onAnswer(asOneLine(event.target.value))}
          onKeyDown={(event) => {
            if (event.key === 'Enter') event.preventDefault() // Enter would submit the page, not the check.
          }}
        />
        {text}
      </div>
    )
  const chosen = listIn(answer)
  const values = options.map(({ value }) => value)
  return (
    <fieldset
      className="question"
      data-problem={problem !== undefined || undefined}
      aria-describedby={describedBy}
    >
      <legend className="question-label">{label}</legend>
      {multiple && <p className="hint">{texts().views.check.chooseAllRight}</p>}
      <div className="options">
        {options.map((option) => (
          <Choice
            key={`${typeof option.value} ${option.value}`}
            name={id}
            type={multiple ? 'checkbox' : 'radio'}
            option={option}
            isChosen={chosen.includes(option.value)}
            isFixed={isFixed}
            isFull={false}
            onChoose={() => {
              const toggled = (value: unknown) => chosen.includes(value) !== (value === option.value)
              onAnswer(multiple ? values.filter(toggled) : option.value)
            }}
          />
        ))}
      </div>
      {text}
    </fieldset>
  )
}
