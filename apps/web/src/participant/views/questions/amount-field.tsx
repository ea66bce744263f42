import { type KeyboardEvent, useState } from 'react'
import { asOneLine } from './answer.ts'
import { numberFrom } from './typed-text.ts'
import './questions.css'

/** What has been typed: a number, or a text that is none, so that the page can say so. */
export type TypedAmount = number | string | undefined

interface AmountFieldProps {
  id: string
  value: TypedAmount
  /** What an empty field counts as; no answer when absent. */
  emptyIs?: number | undefined
  min?: number | undefined
  max?: number | undefined
  /** How far the arrow keys go. */
  step: number
  unit: string | undefined
  unitPlace: 'before' | 'after'
  placeholder?: string | undefined
  isWhole: boolean
  isFixed: boolean
  isWrong: boolean
  describedBy: string | undefined
  onChange(value: TypedAmount): void
}

/** A number with its unit. Typed, or changed with the arrow keys; never by the wheel, which scrolls the page. */
export function AmountField(props: AmountFieldProps) {
  const { id, value, unit, unitPlace, isFixed, onChange } = props
  const [typed, setTyped] = useState('')
  // “1.” and “1.0” are both 1: the text stays as typed while it means the same as the answer.
  const shown = value === (amountIn(typed) ?? props.emptyIs) ? typed : String(value ?? '')
  const unitId = `${id}-unit`
  function onKeyDown(event: KeyboardEvent) {
    const steps = { ArrowUp: 1, ArrowDown: -1 }[event.key]
    if (steps === undefined || isFixed || typeof value === 'string') return
    event.preventDefault() // The cursor would jump to the beginning or the end.
    onChange(stepped(value, steps, props))
  }
  return (
    <span className="amount" data-unit-before={unitPlace === 'before' || undefined}>
      <input
        id={id}
        className="text-field is-number"
        type="text"
        inputMode={props.isWhole ? 'numeric' : 'decimal'}
        autoComplete="off"
        value={shown}
        placeholder={props.placeholder}
        readOnly={isFixed}
        aria-describedby={[unit && unitId, props.describedBy].filter(Boolean).join(' ') || undefined}
        aria-invalid={props.isWrong}
        onKeyDown={onKeyDown}
        onChange={({ target }) => {
          setTyped(target.value)
          onChange(amountIn(target.value))
        }}
      />
      {unit !== undefined && (
        <span className="amount-unit" id={unitId} dir="auto">
          {unit}
        </span>
      )}
    </span>
  )
}

export function amountIn(typed: string): TypedAmount {
  if (typed.trim() === '') return undefined
  return numberFrom(typed) ?? asOneLine(typed)
}

interface Steps {
  min?: number | undefined
  max?: number | undefined
  step: number
}

/** The next amount on the grid of steps, which is counted from the lowest one. */
export function stepped(value: number | undefined, steps: number, { min, max, step }: Steps): number {
  const low = min ?? 0
  if (value === undefined) return low
  const lowest = min ?? Number.NEGATIVE_INFINITY
  const highest = max ?? Number.POSITIVE_INFINITY
  const next = value + steps * step
  const onGrid = low + Math.round((next - low) / step) * step
  return Math.min(highest, Math.max(lowest, Number(onGrid.toPrecision(12))))
}
