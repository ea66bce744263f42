import { type ChangeEvent, useState } from 'react'
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
  // “1.” and “1.0” are the number 1: what was typed stays while it means what the answer is.
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

/** Seen only where a limit was set; a field that cut off what is pasted would lose it silently. */
function Counter({ kind, maxLength, text }: Props['settings'] & { text: string }) {
  if (maxLength === undefined || kind === 'number' || kind === 'email') return null
  const length = lengthOf(text)
  return (
    <p className={length > maxLength ? 'counter is-over' : 'counter'}>
      {length} of {maxLength}
      {length > maxLength && ' – too long'}
    </p>
  )
}

function howToWrite({ kind, min, max }: Props['settings']): string {
  switch (kind) {
    case 'number':
      return min !== undefined && max !== undefined
        ? `Please write a number from ${min} to ${max}.`
        : 'Please write a number that fits.'
    case 'email':
      return 'Please write an e-mail address.'
    case 'short':
    case 'paragraph':
      return 'The answer is too short or too long.'
  }
}

export const TextInputView = withSettings('text_input', TextInput, howToWrite)
