import type { ChangeEvent } from 'react'
import { texts } from '../../../text/participant.ts'
import { type SettledProps, withSettings } from '../settings/with-settings.tsx'
import { AmountField } from './amount-field.tsx'
import { answerOf, isFixed, lengthOf } from './answer.ts'
import { Question, type QuestionIds } from './question.tsx'
import { answerTyped, lengthHint, numberHint, type TextKind } from './typed-text.ts'
import './questions.css'

type Props = SettledProps<'text_input'>

const fieldOf = {
  short: { type: 'text', inputMode: 'text' },
  email: { type: 'email', inputMode: 'email', autoComplete: 'email' },
} as const

function hintOf({ kind, minLength, maxLength, ...bounds }: Props['settings']): string | undefined {
  if (kind === 'number') return numberHint(bounds)
  return kind === 'email' ? undefined : lengthHint(minLength, maxLength)
}

function TextInput(props: Props) {
  const { settings } = props
  const { label, help } = settings
  return (
    <Question props={props} label={label} help={help} hint={hintOf(settings)} isGroup={false}>
      {(ids) =>
        settings.kind === 'number' ? (
          <Amount {...props} ids={ids} />
        ) : (
          <Field {...props} ids={ids} kind={settings.kind} />
        )
      }
    </Question>
  )
}

function Amount(props: Props & { ids: QuestionIds }) {
  const { settings, ids, onDraft, problem } = props
  const { integer, step, decimals } = settings
  const answer = answerOf(props)
  return (
    <AmountField
      {...settings}
      id={`${ids.label}-control`}
      value={typeof answer === 'number' || typeof answer === 'string' ? answer : undefined}
      step={step ?? 1}
      isWhole={integer || decimals === 0}
      isFixed={isFixed(props)}
      isWrong={problem !== undefined}
      describedBy={ids.describedBy}
      onChange={onDraft}
    />
  )
}

function Field(props: Props & { ids: QuestionIds; kind: TextKind }) {
  const { settings, ids, onDraft, problem, kind } = props
  const { placeholder } = settings
  const shown = String(answerOf(props) ?? '')
  const shared = {
    id: `${ids.label}-control`,
    value: shown,
    placeholder,
    readOnly: isFixed(props),
    'aria-describedby': ids.describedBy,
    'aria-invalid': problem !== undefined,
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      onDraft(answerTyped(kind, event.target.value)),
  }
  return (
    <>
      {kind === 'paragraph' ? (
        <textarea {...shared} className="text-field is-paragraph" rows={5} />
      ) : (
        <input {...shared} {...fieldOf[kind]} className={`text-field is-${kind}`} />
      )}
      <Counter {...settings} text={shown} />
    </>
  )
}

/** Shown only where there is a limit. The field itself has none: it would silently cut off pasted text. */
function Counter({ kind, maxLength, text }: Props['settings'] & { text: string }) {
  if (maxLength === undefined || kind === 'number' || kind === 'email') return null
  const length = lengthOf(text)
  const { count, countOver } = texts().views.question
  return (
    <p className={length > maxLength ? 'counter is-over' : 'counter'}>
      {length > maxLength ? countOver(length, maxLength) : count(length, maxLength)}
    </p>
  )
}

function howToWrite(settings: Props['settings'], draft: unknown): string {
  const { kind, min, max } = settings
  const { problems } = texts()
  switch (kind) {
    case 'number':
      if (typeof draft === 'number' && isWithin(draft, settings))
        return numberHint(settings) ?? problems.number
      return min !== undefined && max !== undefined ? problems.numberBetween(min, max) : problems.number
    case 'email':
      return problems.email
    case 'short':
    case 'paragraph':
      return problems.textLength
  }
}

const isWithin = (
  value: number,
  { min = value, max = value }: { min?: number | undefined; max?: number | undefined },
) => value >= min && value <= max

export const TextInputView = withSettings('text_input', TextInput, howToWrite)
