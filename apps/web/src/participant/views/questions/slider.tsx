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
  // A handle that stands somewhere is an answer: whoever leaves it there has given it.
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

export const SliderView = withSettings('slider', Slider)
