import { useEffect, useEffectEvent } from 'react'
import { type SettledProps, withSettings } from '../settings/with-settings.tsx'
import { answerOf, isFixed, numberIn } from './answer.ts'
import { Question } from './question.tsx'
import { ScaleLine } from './scale-line.tsx'
import { onStep } from './steps.ts'
import './questions.css'

function Slider(props: SettledProps<'slider'>) {
  const { settings, onDraft, draft } = props
  const { label, help, start, showValue } = settings
  const value = numberIn(answerOf(props))
  // A handle that is shown somewhere is an answer, even if the participant leaves it there.
  const placeHandle = useEffectEvent(() => {
    if (start !== undefined && draft === undefined && !isFixed(props)) onDraft(onStep(start, settings))
  })
  useEffect(() => placeHandle(), [])
  return (
    <Question props={props} label={label} help={help} isGroup={false}>
      {(ids) => (
        <>
          <ScaleLine
            {...settings}
            {...(showValue && numberedEnds(settings))}
            value={value}
            disabled={isFixed(props)}
            labelledBy={ids.label}
            describedBy={ids.describedBy}
            onChange={onDraft}
          />
          {value === undefined ? (
            <p className="hint">Touch the line where your answer is.</p>
          ) : (
            showValue && <output className="scale-value">{value}</output>
          )}
        </>
      )}
    </Question>
  )
}

interface Ends {
  min: number
  max: number
  minLabel?: string | undefined
  maxLabel?: string | undefined
  labels?: readonly string[] | undefined
}

/** A number says little when the ends of the line have none; labels along the line make that clear already. */
const numberedEnds = ({ min, max, labels, minLabel, maxLabel }: Ends) =>
  labels === undefined && { minLabel: minLabel ?? String(min), maxLabel: maxLabel ?? String(max) }

export const SliderView = withSettings('slider', Slider)
