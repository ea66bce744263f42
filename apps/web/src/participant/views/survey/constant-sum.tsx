import { mostPerItem } from '@atrium/contract/components'
import { texts } from '../../../text/participant-survey.ts'
import type { LazyBody } from '../lazy-view.tsx'
import { AmountField, type TypedAmount } from '../questions/amount-field.tsx'
import { answerOf, isFixed, recordIn } from '../questions/answer.ts'
import { useDrawnOrder } from '../questions/drawn-order.ts'
import { Question } from '../questions/question.tsx'
import { useOptions } from '../settings/options.ts'
import type { SettledProps } from '../settings/with-settings.tsx'
import { sumOf, withPoints } from './points.ts'
import './survey.css'

type Props = SettledProps<'constant_sum'>

/** A number for each item, and always how many are left. An item left empty counts as nothing. */
export const ConstantSum: LazyBody<'constant_sum'> = (props: Props) => {
  const { settings, onDraft, problem } = props
  const { label, help, total, min, unit, shuffle } = settings
  const items = useOptions(settings.items)
  const max = mostPerItem(settings)
  const shown = useDrawnOrder(items, shuffle, props)
  const points = recordIn(answerOf(props))
  const names = items.map(({ value }) => String(value))
  const hint = texts().constantSum.hint(withUnit(total, unit))
  return (
    <Question props={props} label={label} help={help} hint={hint} isGroup>
      {(ids) => (
        <>
          <ul className="shares">
            {shown.map((item) => {
              const id = `${ids.label}-${items.indexOf(item)}`
              return (
                <li className="share" key={`${typeof item.value} ${item.value}`}>
                  <label htmlFor={id} dir="auto">
                    {item.label}
                  </label>
                  <AmountField
                    id={id}
                    value={pointsOf(points, item.value)}
                    emptyIs={isFixed(props) ? undefined : 0}
                    min={min}
                    max={max}
                    step={1}
                    unit={unit}
                    unitPlace="after"
                    placeholder="0"
                    isWhole
                    isFixed={isFixed(props)}
                    isWrong={problem !== undefined}
                    describedBy={ids.describedBy}
                    onChange={(amount) => onDraft(withPoints(points, String(item.value), amount, names))}
                  />
                </li>
              )
            })}
          </ul>
          <Remainder sum={sumOf(points)} total={total} unit={unit} />
        </>
      )}
    </Question>
  )
}

ConstantSum.howToFix = ({ items, total, min, max = total, unit }, draft) => {
  const { noNumber, each, howToFix } = texts().constantSum
  const given = Object.values(recordIn(draft))
  if (given.some((amount) => !Number.isInteger(amount))) return noNumber
  const isOutside = given.some((amount) => Number(amount) < min || Number(amount) > max)
  if (isOutside && (min > 0 || max < total || given.length < items.length)) return each(min, max)
  return isOutside ? each(0, total) : howToFix(sumOf(recordIn(draft)), withUnit(total, unit))
}

/** What is not typed shows as an empty field, although it counts as 0. */
function pointsOf(points: Readonly<Record<string, unknown>>, item: string | number): TypedAmount {
  const amount = Object.hasOwn(points, item) ? points[item] : undefined
  return typeof amount === 'number' || typeof amount === 'string' ? amount : undefined
}

const withUnit = (amount: number, unit: string | undefined) =>
  unit === undefined ? String(amount) : `${amount} ${unit}`

interface RemainderProps {
  sum: number
  total: number
  unit: string | undefined
}

function Remainder({ sum, total, unit }: RemainderProps) {
  const { left, over, complete, given } = texts().constantSum
  const state = sum === total ? 'complete' : sum > total ? 'over' : 'open'
  const words = {
    complete,
    over: over(withUnit(sum - total, unit)),
    open: left(withUnit(total - sum, unit)),
  }
  return (
    <div className={`remainder is-${state}`}>
      <div className="remainder-bar" aria-hidden="true">
        <span style={{ width: `${Math.max(0, Math.min(1, sum / total)) * 100}%` }} />
      </div>
      <p className="remainder-words">
        <span role="status">{words[state]}</span>
        <span className="quiet">{given(String(sum), withUnit(total, unit))}</span>
      </p>
    </div>
  )
}
