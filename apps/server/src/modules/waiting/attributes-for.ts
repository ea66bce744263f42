import type { WaitingPerson } from '../../ports/waiting-queue.ts'
import type { MatchingSettings } from '../matching/index.ts'

type Attributes = WaitingPerson['attributes']

/** What the matching looks at, of what a participant said when joining. Nothing else leaves the database. */
export function attributesFor(settings: MatchingSettings, metadata: Record<string, unknown>): Attributes {
  const names = [
    ...settings.filters.map(({ attribute }) => attribute),
    ...settings.balance,
    ...settings.exclusions.flatMap((rule) =>
      rule === 'never_again' ? [] : 'same' in rule ? [rule.same] : [rule.different],
    ),
  ]
  const known = names.filter((name) => Object.hasOwn(metadata, name) && isAttribute(metadata[name]))
  return Object.fromEntries(known.map((name) => [name, metadata[name]])) as Attributes
}

const isAttribute = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value)
