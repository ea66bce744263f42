import { useEffect, useEffectEvent } from 'react'
import { texts } from '../../../text/participant.ts'
import { type SettledProps, withSettings } from '../settings/with-settings.tsx'
import { answerOf, isFixed, numberIn } from './answer.ts'
import { Question } from './question.tsx'
import { ScaleLine } from './scale-line.tsx'
import { marksOf, onStep } from './steps.ts'
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
            marks={showValue ? marksOf(settings) : []}
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

export const SliderView = withSettings('slider', Slider)
