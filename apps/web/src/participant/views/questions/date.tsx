import { texts } from '../../../text/participant.ts'
import type { SettledProps } from '../settings/with-settings.tsx'
import { answerOf, isFixed } from './answer.ts'
import { Question } from './question.tsx'
import './questions.css'

type Props = SettledProps<'date'>

/** The browser's own field: typed part by part or picked from its calendar, in the order of the person's locale. */
export function DateQuestion(props: Props) {
  const { settings, onDraft, problem } = props
  const { label, help, min, max } = settings
  const answer = answerOf(props)
  return (
    <Question props={props} label={label} help={help} hint={rangeHint(settings)} isGroup={false}>
      {(ids) => (
        <input
          id={`${ids.label}-control`}
          className="text-field is-date"
          type="date"
          min={min}
          // Otherwise some browsers take years of six digits.
          max={max ?? '9999-12-31'}
          value={typeof answer === 'string' ? answer : ''}
          readOnly={isFixed(props)}
          aria-describedby={ids.describedBy}
          aria-invalid={problem !== undefined}
          // Empty until day, month and year are all there.
          onChange={(event) => onDraft(event.target.value === '' ? undefined : event.target.value)}
        />
      )}
    </Question>
  )
}

function rangeHint({ min, max }: Props['settings']): string | undefined {
  const { between, from, upTo } = texts().tasks.date
  if (min !== undefined && max !== undefined) return between(min, max)
  if (min !== undefined) return from(min)
  return max === undefined ? undefined : upTo(max)
}
