import { texts } from '../../../text/participant.ts'
import { asOneLine } from './answer.ts'

type TextKind = 'short' | 'paragraph' | 'number' | 'email'

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

/** What has been typed so far, as an answer. Text that is not a number stays text, so that the page can say so. */
export function answerTyped(kind: TextKind, typed: string): string | number | undefined {
  if (typed === '') return undefined
  switch (kind) {
    case 'number':
      return typed.trim() === '' ? undefined : (numberFrom(typed) ?? typed)
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
}

/** “A whole number from 18 to 120.” */
export function numberHint({ min, max, integer }: Bounds): string | undefined {
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
