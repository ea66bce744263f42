import type { CSSProperties } from 'react'
import { texts } from '../../../text/participant.ts'
import './questions.css'

interface ScaleLineProps {
  min: number
  max: number
  /** `any` for no steps. */
  step: number | 'any'
  /** Undefined until touched: then there is no handle that could suggest an answer. */
  value: number | undefined
  minLabel?: string | undefined
  maxLabel?: string | undefined
  labels?: readonly string[] | undefined
  colours?: 'plain' | 'heat'
  /** Values that are written below the line. */
  marks?: readonly number[]
  disabled: boolean
  labelledBy: string
  describedBy?: string | undefined
  onChange(value: number): void
}

/** A visual analogue scale on a native range input, which works with keyboards and screen readers. */
export function ScaleLine(props: ScaleLineProps) {
  const { min, max, step, value, colours, disabled, labelledBy, describedBy, onChange } = props
  const shown = value ?? (min + max) / 2
  const filled = value === undefined ? 0 : (value - min) / (max - min)
  const onFirstTouch = (element: HTMLInputElement) => {
    if (value === undefined && !disabled) onChange(Number(element.value))
  }
  return (
    <div className="scale">
      <input
        id={`${labelledBy}-control`}
        className={colours === 'heat' ? 'scale-line is-heat' : 'scale-line'}
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
        aria-valuetext={value === undefined ? texts().views.scale.noAnswer : undefined}
        onChange={(event) => onChange(Number(event.target.value))}
        // A touch exactly where the browser has its invisible handle fires no change event.
        onPointerUp={(event) => onFirstTouch(event.currentTarget)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' && event.key !== ' ') return
          event.preventDefault() // Enter would submit the page.
          onFirstTouch(event.currentTarget)
        }}
      />
      <ScaleTexts {...props} />
    </div>
  )
}

function ScaleTexts({ min, max, marks = [], labels, minLabel, maxLabel }: ScaleLineProps) {
  return (
    <>
      {marks.length > 0 && (
        // The range input tells screen readers its ends.
        <div className={marks.length > 11 ? 'scale-marks is-dense' : 'scale-marks'} aria-hidden="true">
          {marks.map((mark) => (
            <span key={mark} style={{ '--at': (mark - min) / (max - min) } as CSSProperties}>
              {mark}
            </span>
          ))}
        </div>
      )}
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

/** How many letters of the labels fit side by side on a phone, and on the widest page. */
const lettersOnPhone = 30
const lettersOnPage = 62

/** Whether the labels fit under the line: everywhere, only on a wide page, or nowhere, so that they are rotated. */
export function labelCrowding(labels: readonly string[]): 'roomy' | 'crowded' | 'packed' {
  const needed = labels.map(longestWord).reduce((sum, letters) => sum + letters + 1, 0)
  if (needed > lettersOnPage) return 'packed'
  return needed > lettersOnPhone ? 'crowded' : 'roomy'
}

const longestWord = (label: string): number => Math.max(...label.split(/\s+/).map((word) => word.length))
