import type { CSSProperties } from 'react'
import { labelCrowding } from './label-crowding.ts'
import './questions.css'

interface ScaleLineProps {
  min: number
  max: number
  /** `any` for a line without steps. */
  step: number | 'any'
  /** Undefined: not touched yet, so that no handle suggests an answer. */
  value: number | undefined
  minLabel?: string | undefined
  maxLabel?: string | undefined
  labels?: readonly string[] | undefined
  disabled: boolean
  labelledBy: string
  describedBy?: string | undefined
  onChange(value: number): void
}

/** A visual analogue scale on a real range control, so that keyboards and screen readers know it. */
export function ScaleLine(props: ScaleLineProps) {
  const { min, max, step, value, disabled, labelledBy, describedBy, onChange } = props
  const shown = value ?? (min + max) / 2
  const filled = value === undefined ? 0 : (value - min) / (max - min)
  const onFirstTouch = (element: HTMLInputElement) => {
    if (value === undefined && !disabled) onChange(Number(element.value))
  }
  return (
    <div className="scale">
      <input
        id={`${labelledBy}-control`}
        className="scale-line"
        type="range"
        min={min}
        max={max}
        step={step}
        value={shown}
        style={{ '--filled': `${filled * 100}%` } as CSSProperties}
        disabled={disabled}
        data-untouched={value === undefined || undefined}
        aria-labelledby={labelledBy}
        aria-describedby={describedBy}
        aria-valuetext={value === undefined ? 'no answer yet' : undefined}
        onChange={(event) => onChange(Number(event.target.value))}
        // A touch where the browser’s invisible handle already is fires no change event.
        onPointerUp={(event) => onFirstTouch(event.currentTarget)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' && event.key !== ' ') return
          event.preventDefault() // Enter would send the page.
          onFirstTouch(event.currentTarget)
        }}
      />
      <ScaleTexts {...props} />
    </div>
  )
}

function ScaleTexts({ labels, minLabel, maxLabel }: ScaleLineProps) {
  return (
    <>
      {labels !== undefined && (
        <div className={`scale-labels is-${labelCrowding(labels)}`}>
          {labels.map((text, index) => (
            <span key={index}>{text}</span>
          ))}
        </div>
      )}
      {(minLabel !== undefined || maxLabel !== undefined) && (
        <div className="scale-ends">
          <span>{minLabel}</span>
          <span>{maxLabel}</span>
        </div>
      )}
    </>
  )
}
