import { useId } from 'react'
import { texts } from '../../../text/participant-survey.ts'
import { Picture } from '../display/image.tsx'
import type { LazyBody } from '../lazy-view.tsx'
import { answerOf, isFixed, recordIn } from '../questions/answer.ts'
import { useDrawnOrder } from '../questions/drawn-order.ts'
import { Question } from '../questions/question.tsx'
import { type Option, useOptions } from '../settings/options.ts'
import type { SettledProps } from '../settings/with-settings.tsx'
import './survey.css'

type Props = SettledProps<'best_worst'>
type End = 'best' | 'worst'

/** The items between two columns. An item that is chosen as one is no longer the other. */
export const BestWorst: LazyBody<'best_worst'> = (props: Props) => {
  const { settings, onDraft } = props
  const words = texts().bestWorst
  const { label, help, shuffle, bestLabel = words.best, worstLabel = words.worst } = settings
  const shown = useDrawnOrder(useOptions(settings.items), shuffle, props)
  const chosen = recordIn(answerOf(props))
  const name = useId()
  const choice = (end: End, endLabel: string, item: Option) => (
    <span className="end-choice">
      <input
        type="radio"
        name={`${name}-${end}`}
        aria-label={words.choose(endLabel, item.label)}
        checked={chosen[end] === item.value}
        disabled={isFixed(props)}
        onChange={() => onDraft(withEnd(chosen, end, item.value))}
      />
    </span>
  )
  return (
    <Question props={props} label={label} help={help} hint={words.hint} isGroup>
      {() => (
        <div className="best-worst">
          <div className="best-worst-head" aria-hidden="true">
            <span>{bestLabel}</span>
            <span />
            <span>{worstLabel}</span>
          </div>
          {shown.map((item) => (
            <div
              className="best-worst-item"
              key={`${typeof item.value} ${item.value}`}
              data-end={ends.find((end) => chosen[end] === item.value)}
            >
              {choice('best', bestLabel, item)}
              <span className="best-worst-label" dir="auto">
                {item.image !== undefined && <Picture src={item.image} alt={item.alt} />}
                {item.label}
              </span>
              {choice('worst', worstLabel, item)}
            </div>
          ))}
        </div>
      )}
    </Question>
  )
}

const ends = ['best', 'worst'] as const

BestWorst.howToFix = ({ bestLabel, worstLabel }) => {
  const { howToFix, best, worst } = texts().bestWorst
  return howToFix(bestLabel ?? best, worstLabel ?? worst)
}

export function withEnd(
  chosen: Readonly<Record<string, unknown>>,
  end: End,
  value: Option['value'],
): Readonly<Record<string, unknown>> {
  const other = end === 'best' ? 'worst' : 'best'
  const kept = chosen[other] === value ? {} : { [other]: chosen[other] }
  return kept[other] === undefined ? { [end]: value } : { ...kept, [end]: value }
}
