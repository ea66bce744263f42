import { texts } from '../../../text/participant.ts'
import { useOptions } from '../settings/options.ts'
import type { SettledProps } from '../settings/with-settings.tsx'
import { answerOf, isFixed } from './answer.ts'
import { useDrawnOrder } from './drawn-order.ts'
import { Question } from './question.tsx'
import './questions.css'

/** A native list: phones show their own picker, and typing the first letters finds an option everywhere. */
export function Dropdown(props: SettledProps<'dropdown'>) {
  const { settings, onDraft, problem } = props
  const { label, help, placeholder, shuffle } = settings
  const options = useOptions(settings.options)
  const shown = useDrawnOrder(options, shuffle, props)
  const answer = answerOf(props)
  // Values can be texts or numbers, which an HTML option cannot tell apart.
  const chosen = shown.findIndex(({ value }) => value === answer)
  return (
    <Question props={props} label={label} help={help} isGroup={false}>
      {(ids) => (
        <select
          id={`${ids.label}-control`}
          className="text-field"
          value={chosen}
          disabled={isFixed(props)}
          aria-describedby={ids.describedBy}
          aria-invalid={problem !== undefined}
          onChange={(event) => onDraft(shown[Number(event.target.value)]?.value)}
        >
          <option value={-1}>{placeholder ?? texts().tasks.dropdown.placeholder}</option>
          {shown.map((option, index) => (
            <option key={`${typeof option.value} ${option.value}`} value={index}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Question>
  )
}
