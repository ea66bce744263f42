import type { WaitingPerson } from '../../../ports/waiting-queue.ts'
import type { MatchingSettings } from '../matching-settings.ts'
import { createPartsOf, type PersonVariables } from './parts-of-person.ts'

type AttributeValue = WaitingPerson['attributes'][string] | undefined

/** The person's value; undefined when they gave none. An attribute may have any name, even one that every object inherits. */
const attributeOf = ({ attributes }: WaitingPerson, name: string): AttributeValue =>
  Object.hasOwn(attributes, name) ? attributes[name] : undefined

/** M1: prepared once for everyone in the queue, because a filter may name hundreds of values. */
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

/** Recruiting sites put everything into the study's URL, where `30` is text. Anything else is not a number. */
const numberIn = (value: AttributeValue): number =>
  typeof value === 'number'
    ? value
    : typeof value === 'string' && value.trim() !== ''
      ? Number(value)
      : Number.NaN

/**
 * Numbers the values of some attributes, so that people are compared by small integers instead of by text. No value is a
 * value too (M15).
 */
export function createNumbering(names: readonly string[]): (person: WaitingPerson) => number[] {
  // Most experiments have none, and this runs for everyone at every proposal.
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

/** Of the parts of a group, those that a person fits, as bits. No field of a study can be called so. */
const partsAttribute = '\tparts'

export const partsOf = ({ attributes }: WaitingPerson): number => Number(attributes[partsAttribute] ?? 0)

/**
 * What matching needs to know of a person. Nothing else leaves the database. `variables` are what they answered in earlier
 * stages: M25: a name means the variable where there is one.
 */
export const attributesFor = (
  settings: MatchingSettings,
  metadata: Record<string, unknown>,
  variables: PersonVariables = {},
): WaitingPerson['attributes'] => createAttributes(settings)(metadata, variables)

/** The same for many people. */
export function createAttributes(
  settings: MatchingSettings,
): (metadata: Record<string, unknown>, variables: PersonVariables) => WaitingPerson['attributes'] {
  const names = [
    ...settings.filters.map(({ attribute }) => attribute),
    ...settings.balance,
    ...settings.exclusions.flatMap((rule) =>
      rule === 'never_again' ? [] : 'same' in rule ? [rule.same] : [rule.different],
    ),
  ]
  const partsFor = settings.compose.length > 0 ? createPartsOf(settings.compose) : undefined
  return (metadata, variables) => {
    const attributes = new Map<string, string | number | boolean>()
    for (const name of names) {
      const known = Object.hasOwn(variables, name) ? variables : metadata
      const value = Object.hasOwn(known, name) ? known[name] : undefined
      if (isAttribute(value)) attributes.set(name, value)
    }
    if (partsFor) attributes.set(partsAttribute, partsFor(metadata, variables))
    return Object.fromEntries(attributes)
  }
}

const isAttribute = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value)
