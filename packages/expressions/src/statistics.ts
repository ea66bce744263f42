import { finite } from './value.ts'

// Not Math.max(...numbers): a list may be longer than an argument list can be.

export const total = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0)

export const mean = (numbers: readonly number[]): number | null =>
  numbers.length === 0 ? null : total(numbers) / numbers.length

export const smallest = (numbers: readonly number[]): number | null =>
  numbers.reduce<number | null>((best, number) => (best === null || number < best ? number : best), null)

export const largest = (numbers: readonly number[]): number | null =>
  numbers.reduce<number | null>((best, number) => (best === null || number > best ? number : best), null)

/** The middle value; of two middle values, their mean. */
export function median(numbers: readonly number[]): number | null {
  const sorted = numbers.toSorted((a, b) => a - b)
  const upper = sorted[Math.floor(sorted.length / 2)]
  const lower = sorted[Math.floor((sorted.length - 1) / 2)]
  return upper === undefined || lower === undefined ? null : (lower + upper) / 2
}

/** Of a sample: divided by one less than their number. */
export function standardDeviation(numbers: readonly number[]): number | null {
  const middle = mean(numbers)
  if (middle === null || numbers.length < 2) return null
  const squares = total(numbers.map((number) => (number - middle) ** 2))
  return Math.sqrt(squares / (numbers.length - 1))
}

/**
 * Powers, roots and logarithms differ between machines in the last digit, and a replayed room must reach the same state on
 * every one.
 */
export const onEveryMachine = (result: number): number => Number(result.toPrecision(14))

/** Half away from zero, on the decimal digits that people see: 1.005 to two digits is 1.01. */
export function rounded(x: number, digits: number): number | null {
  if (!Number.isInteger(digits) || digits < 0 || digits > 15) return null
  return finite(Math.sign(x) * shift(Math.round(shift(Math.abs(x), digits)), -digits))
}

/** Moves the decimal point without the rounding error of a multiplication. */
function shift(number: number, places: number): number {
  const [digits = '0', exponent = '0'] = String(number).split('e')
  return Number(`${digits}e${Number(exponent) + places}`)
}
