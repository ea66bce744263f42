import { useId } from 'react'
import type { LazyBody } from '../lazy-view.tsx'
import { answerOf, asOneLine, isFixed, recordIn } from '../questions/answer.ts'
import { useDrawnOrder } from '../questions/drawn-order.ts'
import { Choice } from '../questions/multiple-choice.tsx'
import { Question } from '../questions/question.tsx'
import { type Option, useOptions } from '../settings/options.ts'
import type { SettledProps } from '../settings/with-settings.tsx'

type Props = SettledProps<'attention_check'>

/** Looks like any other question: people must not see what it is. */
export const AttentionCheck: LazyBody<'attention_check'> = (props: Props) => {
  const { settings, onDraft, problem } = props
  const { label, help } = settings
  const { answer } = recordIn(answerOf(props))
  if (settings.options === undefined)
    return (
      <Question props={props} label={label} help={help} isGroup={false}>
        {(ids) => (
          <input
            id={`${ids.label}-control`}
            className="text-field"
            type="text"
            autoComplete="off"
            value={typeof answer === 'string' ? answer : ''}
            readOnly={isFixed(props)}
            aria-describedby={ids.describedBy}
            aria-invalid={problem !== undefined}
            onChange={({ target }) =>
              onDraft(target.value === '' ? undefined : { answer: asOneLine(target.value) })
            }
          />
        )}
      </Question>
    )
  return <Options {...props} options={settings.options} chosen={answer} />
}

interface OptionsProps extends Props {
  options: NonNullable<Props['settings']['options']>
  chosen: unknown
}

function Options({ options, chosen, ...props }: OptionsProps) {
  const { label, help, shuffle } = props.settings
  const shown = useDrawnOrder(useOptions(options), shuffle, props)
  const name = useId()
  const hasPictures = shown.some(({ image }) => image !== undefined)
  const choose = ({ value }: Option) => props.onDraft({ answer: value })
  return (
    <Question props={props} label={label} help={help} isGroup>
      {() => (
        <div className={hasPictures ? 'options has-pictures' : 'options'}>
          {shown.map((option) => (
            <Choice
              key={`${typeof option.value} ${option.value}`}
              name={name}
              type="radio"
              option={option}
              isChosen={option.value === chosen}
              isFixed={isFixed(props)}
              isFull={false}
              onChoose={() => choose(option)}
            />
          ))}
        </div>
      )}
    </Question>
  )
}
