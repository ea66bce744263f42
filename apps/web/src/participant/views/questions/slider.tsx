import { useEffect, useEffectEvent } from 'react'
import { texts } from '../../../text/participant.ts'
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
  // A handle that is visible from the start counts as an answer, even if nobody moves it.
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
          <div className="scale-reading">
            {value === undefined ? (
              <p className="hint">{texts().views.scale.untouched}</p>
            ) : (
              showValue && <output className="scale-value">{value}</output>
            )}
          </div>
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

/** A number means little if the ends of the line have none. Labels along the line replace it. */
const numberedEnds = ({ min, max, labels, minLabel, maxLabel }: Ends) =>
  labels === undefined && { minLabel: minLabel ?? String(min), maxLabel: maxLabel ?? String(max) }

export const SliderView = withSettings('slider', Slider)
