import { type ChangeEvent, useState } from 'react'
import { texts } from '../../../text/participant.ts'
import { type SettledProps, withSettings } from '../settings/with-settings.tsx'
import { answerOf, isFixed, lengthOf } from './answer.ts'
import { Question, type QuestionIds } from './question.tsx'
import { answerTyped, lengthHint, numberHint } from './typed-text.ts'
import './questions.css'

type Props = SettledProps<'text_input'>

const fieldOf = {
  short: { type: 'text', inputMode: 'text' },
  number: { type: 'text', inputMode: 'decimal', autoComplete: 'off' },
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
      {(ids) => <Field {...props} ids={ids} />}
    </Question>
  )
}

function Field(props: Props & { ids: QuestionIds }) {
  const { settings, ids, onDraft, problem } = props
  const { kind, placeholder } = settings
  const [typed, setTyped] = useState('')
  const answer = answerOf(props)
  // “1.” and “1.0” are both 1: the text stays as typed while it means the same as the answer.
  const shown = answer === answerTyped(kind, typed) ? typed : String(answer ?? '')
  const shared = {
    id: `${ids.label}-control`,
    value: shown,
    placeholder,
    readOnly: isFixed(props),
    'aria-describedby': ids.describedBy,
    'aria-invalid': problem !== undefined,
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => {
      setTyped(event.target.value)
      onDraft(answerTyped(kind, event.target.value))
    },
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

function howToWrite({ kind, min, max }: Props['settings']): string {
  const { problems } = texts()
  switch (kind) {
    case 'number':
      return min !== undefined && max !== undefined ? problems.numberBetween(min, max) : problems.number
    case 'email':
      return problems.email
    case 'short':
    case 'paragraph':
      return problems.textLength
  }
}

export const TextInputView = withSettings('text_input', TextInput, howToWrite)
