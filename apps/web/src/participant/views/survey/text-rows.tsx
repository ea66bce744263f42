import { texts } from '../../../text/participant.ts'
import { texts as surveyTexts } from '../../../text/participant-survey.ts'
import type { LazyBody } from '../lazy-view.tsx'
import { answerOf, asOneLine, isFixed, lengthOf, recordIn } from '../questions/answer.ts'
import { Question } from '../questions/question.tsx'
import { useOptions } from '../settings/options.ts'
import type { SettledProps } from '../settings/with-settings.tsx'
import './survey.css'

type Props = SettledProps<'text_rows'>

export const TextRows: LazyBody<'text_rows'> = (props: Props) => {
  const { settings, onDraft, problem } = props
  const { label, help, placeholder, maxLength, allRows } = settings
  const rows = useOptions(settings.rows)
  const lines = recordIn(answerOf(props))
  const hint = allRows ? undefined : surveyTexts().textRows.mayStayEmpty
  return (
    <Question props={props} label={label} help={help} hint={hint} isGroup>
      {(ids) => (
        <div className="text-rows">
          {rows.map((row, index) => {
            const id = `${ids.label}-${index}`
            const line = lineIn(lines, row.value)
            const isTooLong = lengthOf(line) > maxLength
            return (
              <div className="text-row" key={`${typeof row.value} ${row.value}`}>
                <label htmlFor={id} dir="auto">
                  {row.label}
                </label>
                <input
                  id={id}
                  className="text-field"
                  type="text"
                  value={line}
                  placeholder={placeholder}
                  readOnly={isFixed(props)}
                  aria-describedby={ids.describedBy}
                  aria-invalid={problem !== undefined && (isTooLong || (allRows && line === ''))}
                  onChange={({ target }) => onDraft(withLine(lines, row.value, asOneLine(target.value)))}
                />
                {isTooLong && (
                  <p className="counter is-over">
                    {texts().views.question.countOver(lengthOf(line), maxLength)}
                  </p>
                )}
              </div>
            )
          })}
        </div>
      )}
    </Question>
  )
}

TextRows.howToFix = ({ rows, maxLength }, draft) => {
  const lines = Object.values(recordIn(draft))
  const isTooLong = lines.some((line) => typeof line === 'string' && lengthOf(line) > maxLength)
  const { tooLong, every } = surveyTexts().textRows
  return isTooLong ? tooLong(maxLength) : every(rows.length)
}

type Lines = Readonly<Record<string, unknown>>

function lineIn(lines: Lines, row: string | number): string {
  const line = Object.hasOwn(lines, row) ? lines[row] : ''
  return typeof line === 'string' ? line : ''
}

/** The lines after a change: empty ones are absent, and undefined stands for none at all. */
export function withLine(lines: Lines, row: string | number, line: string): Lines | undefined {
  const { [row]: _replaced, ...rest } = lines
  const next = line === '' ? rest : { ...rest, [row]: line }
  return Object.keys(next).length === 0 ? undefined : next
}
