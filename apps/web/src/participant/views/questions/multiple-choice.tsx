import { isRequired } from '@atrium/contract/components'
import { useEffect, useEffectEvent, useId, useRef } from 'react'
import { texts } from '../../../text/participant.ts'
import { Picture } from '../display/image.tsx'
import { type Option, useOptions } from '../settings/options.ts'
import { type SettledProps, withSettings } from '../settings/with-settings.tsx'
import { answerOf, asOneLine, isFixed } from './answer.ts'
import { answerFrom, type Choices, choicesIn, countHint, countOf, withOther, withValue } from './choices.ts'
import { useDrawnOrder } from './drawn-order.ts'
import { Question } from './question.tsx'
import './questions.css'

type Props = SettledProps<'multiple_choice'>

function MultipleChoice(props: Props) {
  const { settings, onDraft, result } = props
  const { label, help, multiple, allowOther, shuffle, maxChoices } = settings
  const options = useOptions(settings.options)
  const name = useId()
  const shown = useDrawnOrder(options, shuffle, props)
  const choices = choicesIn(answerOf(props))
  const available = options.length + (allowOther ? 1 : 0)
  const max = Math.min(maxChoices ?? available, available)
  const minChoices = Math.min(settings.minChoices, available)
  const isFull = multiple && countOf(choices) >= max
  useNoneAsAnswer(props)
  const choose = (next: Choices) => onDraft(answerFrom(next, { multiple, minChoices, options }))
  const choice = { name, type: multiple ? 'checkbox' : 'radio', isFixed: isFixed(props), isFull } as const
  const hasPictures = options.some(({ image }) => image !== undefined)
  return (
    <Question
      props={props}
      label={label}
      help={help}
      hint={multiple ? countHint(minChoices, max, available) : undefined}
      isGroup
    >
      {() => (
        <>
          <div className={hasPictures ? 'options has-pictures' : 'options'}>
            {shown.map((option) => (
              <Choice
                key={`${typeof option.value} ${option.value}`}
                {...choice}
                option={option}
                isChosen={choices.values.includes(option.value)}
                onChoose={() => choose(withValue(choices, option.value, multiple))}
              />
            ))}
            {allowOther && (
              <OwnAnswer
                {...choice}
                text={choices.other}
                onChange={(text) => choose(withOther(choices, text, multiple))}
              />
            )}
          </div>
          {typeof result?.correct === 'boolean' && <Feedback isRight={result.correct} />}
        </>
      )}
    </Question>
  )
}

/** Where choosing none is an answer, a required question is answered from the start. */
function useNoneAsAnswer(props: Props) {
  const { component, settings, draft, onDraft } = props
  const begin = useEffectEvent(() => {
    const isNoneEnough = settings.multiple && settings.minChoices === 0 && isRequired(component)
    if (isNoneEnough && draft === undefined && !isFixed(props)) onDraft([])
  })
  useEffect(() => begin(), [])
}

interface ChoiceControl {
  name: string
  type: 'checkbox' | 'radio'
  isFixed: boolean
  /** The maximum is chosen: the other options are disabled until one is cleared. */
  isFull: boolean
}

interface ChoiceProps extends ChoiceControl {
  option: Option
  isChosen: boolean
  onChoose(): void
}

/** A radio button or checkbox whose whole line can be clicked. */
export function Choice({ name, type, option, isChosen, isFixed, isFull, onChoose }: ChoiceProps) {
  return (
    <label className="option">
      <input
        type={type}
        name={name}
        checked={isChosen}
        disabled={isFixed || (isFull && !isChosen)}
        onChange={onChoose}
      />
      <span className="option-text">
        {option.image !== undefined && <Picture src={option.image} alt={option.alt} />}
        <span>{option.label}</span>
      </span>
    </label>
  )
}

interface OwnAnswerProps extends ChoiceControl {
  text: string | undefined
  onChange(text: string | undefined): void
}

function OwnAnswer({ name, type, text, isFixed, isFull, onChange }: OwnAnswerProps) {
  const isChosen = text !== undefined
  const field = useRef<HTMLInputElement>(null)
  return (
    <div className="option is-own">
      <label className="own-choice">
        <input
          type={type}
          name={name}
          checked={isChosen}
          disabled={isFixed || (isFull && !isChosen)}
          onChange={(event) => {
            onChange(event.target.checked ? '' : undefined)
            if (event.target.checked) field.current?.focus()
          }}
        />
        <span>{texts().views.choice.other}</span>
      </label>
      <input
        ref={field}
        className="text-field"
        type="text"
        aria-label={texts().views.choice.ownAnswer}
        value={text ?? ''}
        maxLength={1_000}
        disabled={isFixed || (isFull && !isChosen)}
        onChange={(event) => onChange(asOneLine(event.target.value))}
      />
    </div>
  )
}

function howToChoose({ multiple, maxChoices, ...rest }: Props['settings']): string | undefined {
  if (!multiple) return undefined
  const minChoices = Math.min(rest.minChoices, rest.options.length + (rest.allowOther ? 1 : 0))
  const { choose, chooseBetween, chooseAtLeast } = texts().problems
  if (maxChoices === undefined) return chooseAtLeast(minChoices)
  return minChoices === maxChoices ? choose(minChoices) : chooseBetween(minChoices, maxChoices)
}

const Feedback = ({ isRight }: { isRight: boolean }) => (
  <p className={isRight ? 'notice is-good' : 'notice is-bad'} role="status">
    {isRight ? texts().views.choice.right : texts().views.choice.wrong}
  </p>
)

export const MultipleChoiceView = withSettings('multiple_choice', MultipleChoice, howToChoose)
