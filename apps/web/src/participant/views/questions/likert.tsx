import { useId } from 'react'
import { type SettledProps, withSettings } from '../settings/with-settings.tsx'
import { answerOf, isFixed } from './answer.ts'
import { Question } from './question.tsx'
import './questions.css'

function Likert(props: SettledProps<'likert'>) {
  const { settings, onDraft } = props
  const { label, help, labels, min, minLabel, maxLabel } = settings
  const points = settings.points ?? labels?.length ?? 7
  const chosen = answerOf(props)
  const name = useId()
  const width = labels === undefined ? widthOf(points) : 'is-labelled'
  return (
    <Question props={props} label={label} help={help} isGroup>
      {() => (
        <div className={`likert ${width}`}>
          <LikertEnds minLabel={minLabel} maxLabel={maxLabel} />
          <div className="likert-points">
            {Array.from({ length: points }, (_, index) => min + index).map((point) => (
              <label className="likert-point" key={point}>
                <input
                  type="radio"
                  name={name}
                  checked={chosen === point}
                  disabled={isFixed(props)}
                  onChange={() => onDraft(point)}
                />
                <span>
                  {labels?.[point - min] ?? point}
                  <EndOf {...settings} point={point} last={min + points - 1} />
                </span>
              </label>
            ))}
          </div>
        </div>
      )}
    </Question>
  )
}

/** The page width from which the points fit side by side; below it they are stacked. */
const widthOf = (points: number) => (points <= 5 ? 'is-short' : points <= 7 ? 'is-medium' : 'is-long')

interface Ends {
  minLabel: string | undefined
  maxLabel: string | undefined
}

/** Visual only, above the row: screen readers hear each end with its own point. */
function LikertEnds({ minLabel, maxLabel }: Ends) {
  if (minLabel === undefined && maxLabel === undefined) return null
  return (
    <div className="likert-ends" aria-hidden="true">
      <span>{minLabel}</span>
      <span>{maxLabel}</span>
    </div>
  )
}

function EndOf({
  point,
  min,
  last,
  minLabel,
  maxLabel,
}: Ends & { point: number; min: number; last: number }) {
  const end = point === min ? minLabel : point === last ? maxLabel : undefined
  return end === undefined ? null : <span className="likert-end"> {end}</span>
}

export const LikertView = withSettings('likert', Likert)
