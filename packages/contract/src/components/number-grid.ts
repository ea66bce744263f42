import { Type } from 'typebox'
import { error, type Finding, warning } from './component-type.ts'
import { isWhole } from './settings.ts'

/** Which numbers can be typed in. */
interface Grid {
  min?: number | undefined
  max?: number | undefined
  step?: number | undefined
  decimals?: number | undefined
  integer: boolean
}

const bounded = <Bound extends string>(name: Bound, value: number | undefined) =>
  value === undefined ? {} : { [name]: value }

/** `multipleOf` cannot say it: it counts from zero, and refuses 1000000.01 for the sake of rounding errors. */
export function NumberOnGrid(grid: Grid) {
  const { min, max, integer } = grid
  const facts = {
    title: 'Answer',
    ...bounded('minimum', min),
    ...bounded('maximum', max),
    ...describedGrid(grid),
  }
  return integer ? Type.Integer(facts) : Type.Number(facts)
}

function describedGrid({ min = 0, step, decimals, integer }: Grid): { description?: string } {
  if (step !== undefined) return { description: `In steps of ${step}, counted from ${min}` }
  return decimals === undefined || integer ? {} : { description: `With up to ${decimals} decimal places` }
}

export function offGrid({ min = 0, step, decimals, integer }: Grid, value: unknown): string | undefined {
  if (typeof value !== 'number') return undefined
  if (step !== undefined && !isNear(value, onSteps(value, min, step))) {
    const [second, third] = [1, 2].map((steps) => Number((min + steps * step).toPrecision(12)))
    return `The number must be on the steps ${min}, ${second}, ${third} and so on.`
  }
  if (integer || decimals === undefined || isNear(value, Number(value.toFixed(decimals)))) return undefined
  return `The number must have at most ${decimals} decimal places.`
}

const onSteps = (value: number, min: number, step: number) => min + Math.round((value - min) / step) * step

/** 3 × 0.1 is not quite 0.3. */
const isNear = (one: number, other: number): boolean =>
  Math.abs(one - other) <= 1e-12 * Math.max(1, Math.abs(one))

export function gridFindings({ min = 0, max, step, decimals, integer }: Grid): Finding[] {
  const places = integer ? 0 : decimals
  const isTooFine = (value: number) => places !== undefined && !isWhole(value * 10 ** places)
  return [
    ...(integer && decimals !== undefined
      ? [warning('/decimals', '‘decimals’ has no effect with ‘integer’')]
      : []),
    ...(step !== undefined && (isTooFine(step) || isTooFine(min))
      ? [error('/step', `steps of ${step} from ${min} need more than ${places} decimal places`)]
      : []),
    ...(step !== undefined && max !== undefined && step > max - min
      ? [error('/step', `step (${step}) is larger than the range from ${min} to ${max}`)]
      : []),
  ]
}

/** A number that can be typed in, where the schema leaves others possible. */
export function drawOnGrid(
  { min, max, step, decimals }: Grid,
  drawn: unknown,
  random: () => number,
): unknown {
  if (step !== undefined) {
    const low = min ?? 0
    const steps = max === undefined ? 100 : Math.floor((max - low) / step + 1e-9)
    return Number((low + step * Math.floor(random() * (steps + 1))).toPrecision(12))
  }
  if (typeof drawn !== 'number' || decimals === undefined) return drawn
  const rounded = Number(drawn.toFixed(decimals))
  // A bound between two of these numbers may be the only one there is.
  return Math.min(max ?? rounded, Math.max(min ?? rounded, rounded))
}
