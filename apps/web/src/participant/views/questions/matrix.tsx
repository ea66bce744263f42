import { type CSSProperties, useId } from 'react'
import { texts } from '../../../text/participant.ts'
import { type Option, type OptionValue, useOptions } from '../settings/options.ts'
import type { SettledProps } from '../settings/with-settings.tsx'
import { answerOf, isFixed, listIn, recordIn } from './answer.ts'
import { useDrawnOrder } from './drawn-order.ts'
import { Question } from './question.tsx'
import './questions.css'

/** A grid on a wide page, a card for each row on a phone: the same controls, laid out by CSS. */
export function Matrix(props: SettledProps<'matrix'>) {
  const { settings, onDraft, problem } = props
  const { label, help, multiple, allRows, shuffle } = settings
  const rows = useOptions(settings.rows)
  const columns = useOptions(settings.columns)
  const { severalPerRow, rowsMayStayEmpty } = texts().views.matrix
  const shown = useDrawnOrder(rows, shuffle, props)
  const answers = recordIn(answerOf(props))
  const columnValues = columns.map(({ value }) => value)
  const hint = [multiple && severalPerRow, !allRows && rowsMayStayEmpty]
  return (
    <Question props={props} label={label} help={help} hint={hint.filter(Boolean).join(' ')} isGroup>
      {() => (
        <div
          className={columns.length > 7 ? 'matrix is-wide' : 'matrix'}
          style={{ '--columns': columns.length } as CSSProperties}
        >
          <div className="matrix-head" aria-hidden="true">
            <span />
            {columns.map((column) => (
              <span key={`${typeof column.value} ${column.value}`}>{column.label}</span>
            ))}
          </div>
          {shown.map((row) => (
            <MatrixRow
              key={`${typeof row.value} ${row.value}`}
              row={row}
              columns={columns}
              type={multiple ? 'checkbox' : 'radio'}
              chosen={chosenIn(answers, row.value)}
              isMissing={problem !== undefined && allRows && chosenIn(answers, row.value).length === 0}
              isFixed={isFixed(props)}
              onChoose={(column) =>
                onDraft(withCell(answers, row.value, column, { multiple, columns: columnValues }))
              }
            />
          ))}
        </div>
      )}
    </Question>
  )
}

interface MatrixRowProps {
  row: Option
  columns: readonly Option[]
  type: 'radio' | 'checkbox'
  chosen: readonly unknown[]
  isMissing: boolean
  isFixed: boolean
  onChoose(column: Option['value']): void
}

function MatrixRow({ row, columns, type, chosen, isMissing, isFixed, onChoose }: MatrixRowProps) {
  const id = useId()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset’s legend cannot be a grid cell.
    <div className="matrix-row" role="group" aria-labelledby={id}>
      <span className="matrix-name" id={id}>
        {row.label}
        {isMissing && <span className="missing"> {texts().views.matrix.rowMissing}</span>}
      </span>
      {columns.map((column) => (
        <label className="matrix-cell" key={`${typeof column.value} ${column.value}`}>
          <input
            type={type}
            name={id}
            checked={chosen.includes(column.value)}
            disabled={isFixed}
            onChange={() => onChoose(column.value)}
          />
          <span className="matrix-cell-label">{column.label}</span>
        </label>
      ))}
    </div>
  )
}

type Answers = Readonly<Record<string, unknown>>

/** An answer is an object with the rows as its keys. */
export const chosenIn = (answers: Answers, row: OptionValue): readonly unknown[] =>
  Object.hasOwn(answers, row) ? listIn(answers[row]) : []

/** The answers after a click; undefined if no row has an answer any more. */
export function withCell(
  answers: Answers,
  row: OptionValue,
  column: OptionValue,
  { multiple, columns }: { multiple: boolean; columns: readonly OptionValue[] },
): Answers | undefined {
  if (!multiple) return { ...answers, [row]: column }
  const before = chosenIn(answers, row)
  const isTaken = before.includes(column)
  const chosen = columns.filter((each) => (each === column ? !isTaken : before.includes(each)))
  const { [row]: _replaced, ...rest } = answers
  const next = chosen.length === 0 ? rest : { ...rest, [row]: chosen }
  return Object.keys(next).length === 0 ? undefined : next
}
