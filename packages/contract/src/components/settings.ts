import { Type } from 'typebox'
import { Name, Prose } from '../text.ts'
import { error, type Finding } from './component-type.ts'

/** Settings that several types share, and what is checked about them. */

export const Flag = (description: string) => Type.Optional(Type.Boolean({ description }))
export const Text = (longest: number, description: string) => Type.Optional(Prose(longest, description))
export const Amount = (description: string) => Type.Optional(Type.Number({ description }))
export const Whole = (minimum: number, maximum: number, description: string) =>
  Type.Optional(Type.Integer({ minimum, maximum, description }))
export const DurationMs = (description: string) => Whole(0, 86_400_000, description)

export const Address = (description: string) => Name(2_000, description)

/** What stands above everything that asks something. */
export const question = {
  label: Text(4_000, 'The question; none when absent'),
  help: Text(4_000, 'Small print under the question; none when absent'),
}

export const ends = {
  minLabel: Text(200, 'Text at the low end; none when absent'),
  maxLabel: Text(200, 'Text at the high end; none when absent'),
}

export const range = {
  min: Amount('Lowest value; 0 when absent'),
  max: Amount('Highest value; 100 when absent'),
  ...ends,
}

interface Range {
  min?: number
  max?: number
  step?: number
}

export const rangeOf = ({ min = 0, max = 100 }: Range) => ({ min, max })

/** A value on the scale. A step is only checked where JSON Schema can say it: counted from zero. */
export function ScaleValue(settings: Range) {
  const { min, max } = rangeOf(settings)
  const { step } = settings
  const isCountedFromZero = step !== undefined && isWhole(min / step)
  return Type.Number({
    minimum: min,
    maximum: max,
    ...(isCountedFromZero ? { multipleOf: step } : {}),
    description: 'A value on the scale',
  })
}

/** 0.3 / 0.1 is not quite 3. */
const isWhole = (quotient: number) => Math.abs(quotient - Math.round(quotient)) < 1e-9

export function rangeFindings(settings: Range): Finding[] {
  const { min, max } = rangeOf(settings)
  return notAbove(settings, 'min', min, 'max', max, { strictly: true })
}

/** The finding stands at the setting that was written; when both were, at the upper one. */
export function notAbove(
  settings: object,
  lowName: string,
  low: number,
  highName: string,
  high: number,
  { strictly = false } = {},
): Finding[] {
  if (low < high || (low === high && !strictly)) return []
  const place = Object.hasOwn(settings, highName) ? highName : lowName
  return [
    error(
      `/${place}`,
      strictly
        ? `${lowName} (${low}) must be below ${highName} (${high})`
        : `${lowName} (${low}) must not be above ${highName} (${high})`,
    ),
  ]
}

const otherScheme = /^\s*(?!https?:)[a-z][a-z0-9+.-]*:/i

/** `javascript:` and its kin have no place in a page that other people open. */
export const addressFindings = (path: string, address: string | undefined): Finding[] =>
  address !== undefined && otherScheme.test(address)
    ? [error(path, 'the address must begin with https:// or http://, or be a path')]
    : []

export const imageFindings = (path: string, address: string | undefined): Finding[] =>
  address?.startsWith('data:image/') ? [] : addressFindings(path, address)
