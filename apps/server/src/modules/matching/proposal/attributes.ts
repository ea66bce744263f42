import type { WaitingPerson } from '../../../ports/waiting-queue.ts'
import type { MatchingSettings } from '../matching-settings.ts'

type AttributeValue = WaitingPerson['attributes'][string] | undefined

/** What somebody said; undefined when they did not. An attribute may have any name, also one that every object has. */
const attributeOf = ({ attributes }: WaitingPerson, name: string): AttributeValue =>
  Object.hasOwn(attributes, name) ? attributes[name] : undefined

/** M1: prepared once for everyone who waits, because a filter may name hundreds of values. */
export function createFilter(filters: MatchingSettings['filters']): (person: WaitingPerson) => boolean {
  const prepared = filters.map(({ attribute, in: values, min, max }) => ({
    attribute,
    values: values && new Set(values.map(String)),
    range: min === undefined && max === undefined ? null : { min: min ?? -Infinity, max: max ?? Infinity },
  }))
  return (person) =>
    prepared.every(({ attribute, values, range }) => {
      const value = attributeOf(person, attribute)
      if (value === undefined || (values && !values.has(String(value)))) return false
      if (!range) return true
      const number = numberIn(value)
      return number >= range.min && number <= range.max
    })
}

/** Recruiting sites put everything into the address of the study, where `30` is a text. Anything else is no number. */
const numberIn = (value: AttributeValue): number =>
  typeof value === 'number'
    ? value
    : typeof value === 'string' && value.trim() !== ''
      ? Number(value)
      : Number.NaN

/**
 * Numbers the values of some attributes, so that people are compared by small numbers instead of by texts. No value is
 * a value too (M15).
 */
export function createNumbering(names: readonly string[]): (person: WaitingPerson) => number[] {
  // Most experiments have none, and this is asked of everyone at every proposal.
  const none: number[] = []
  if (names.length === 0) return () => none
  const known = names.map((name) => ({ name, numbers: new Map<AttributeValue, number>() }))
  return (person) =>
    known.map(({ name, numbers }) => {
      const value = attributeOf(person, name)
      const number = numbers.get(value) ?? numbers.size
      numbers.set(value, number)
      return number
    })
}
