import { texts } from '../../../text/participant.ts'
import { asOneLine } from './answer.ts'

export type TextKind = 'short' | 'paragraph' | 'email'

/**
 * A number as people write it, with a point or a comma. “1,000” means one thousand to some and one to others, so it
 * is refused: the page asks again rather than record the wrong number.
 */
export function numberFrom(typed: string): number | undefined {
  const plain = typed.trim().replace('−', '-')
  if (/^[+-]?\d{1,3}(,\d{3})+$/.test(plain)) return undefined
  const pointed = plain.replace(',', '.')
  return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(pointed) ? Number(pointed) : undefined
}

/** What has been typed so far, as an answer. */
export function answerTyped(kind: TextKind, typed: string): string | undefined {
  if (typed === '') return undefined
  switch (kind) {
    case 'paragraph':
      return typed
    case 'short':
    case 'email':
      return asOneLine(typed)
  }
}

interface Bounds {
  min: number | undefined
  max: number | undefined
  integer: boolean
  step?: number | undefined
  decimals?: number | undefined
}

/** “A number from 0 to 10. In steps of 0.5.” */
export function numberHint(bounds: Bounds): string | undefined {
  const { inSteps, decimalPlaces } = texts().views.textInput
  const { step, decimals, integer } = bounds
  const finer =
    step !== undefined && step !== 1
      ? inSteps(step)
      : decimals && !integer
        ? decimalPlaces(decimals)
        : undefined
  return (
    [rangeHint({ ...bounds, integer: integer || decimals === 0 }), finer].filter(Boolean).join(' ') ||
    undefined
  )
}

function rangeHint({ min, max, integer }: Bounds): string | undefined {
  if (min === undefined && max === undefined && !integer) return undefined
  const { wholeNumber, numberBetween, numberFrom: atLeast, numberUpTo } = texts().views.textInput
  if (min !== undefined && max !== undefined) return numberBetween(integer, min, max)
  if (min !== undefined) return atLeast(integer, min)
  return max === undefined ? wholeNumber : numberUpTo(integer, max)
}

/** “At least 20 characters.” Undefined if there is no limit worth mentioning. */
export function lengthHint(minLength: number | undefined, maxLength: number | undefined): string | undefined {
  const min = minLength ?? 1
  const { lengthBetween, lengthFrom, lengthUpTo } = texts().views.textInput
  if (min > 1 && maxLength !== undefined) return lengthBetween(min, maxLength)
  if (min > 1) return lengthFrom(min)
  return maxLength === undefined ? undefined : lengthUpTo(maxLength)
}
