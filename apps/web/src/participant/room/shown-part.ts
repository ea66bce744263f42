import { responseSchemaOf, type Settings } from '@atrium/contract/components'

/** The part of JSON Schema that says which options and rows an answer may name. */
interface Form {
  enum?: readonly unknown[]
  anyOf?: readonly Form[]
  items?: Form
  minItems?: number
  maxItems?: number
  properties?: Readonly<Record<string, Form>>
}

const formOf = (component: Settings): Form => responseSchemaOf(component) ?? {}

/**
 * R61: what of a draft belongs to the options and rows that the component has now. The rest is kept for when they are shown again,
 * but neither seen nor sent.
 */
export const shownPart = (component: Settings, draft: unknown): unknown => partIn(formOf(component), draft)

/** A new draft of such a component, with the part of the former one that is not shown. */
export const withHiddenPart = (component: Settings, before: unknown, next: unknown): unknown =>
  mergedIn(formOf(component), before, next)

function partIn({ enum: values, anyOf, items, minItems = 0, properties }: Form, value: unknown): unknown {
  if (value === undefined) return undefined
  if (anyOf) return anyOf.map((form) => partIn(form, value)).find((part) => part !== undefined)
  if (values) return values.includes(value) ? value : undefined
  if (items && Array.isArray(value)) {
    const kept = value.filter((entry) => partIn(items, entry) !== undefined)
    return kept.length === 0 && value.length > 0 && minItems > 0 ? undefined : kept
  }
  if (!properties) return value
  if (!isRecord(value)) return undefined
  const kept = Object.entries(value).flatMap(([name, child]) => {
    const part = Object.hasOwn(properties, name) ? partIn(properties[name] ?? {}, child) : undefined
    return part === undefined ? [] : [[name, part] as const]
  })
  return kept.length === 0 && Object.keys(value).length > 0 ? undefined : Object.fromEntries(kept)
}

function mergedIn({ items, minItems, maxItems, properties }: Form, before: unknown, next: unknown): unknown {
  // Where the number of entries is fixed, as in a ranking, what is entered now stands alone.
  if (items && minItems !== maxItems && Array.isArray(before) && Array.isArray(next))
    return [...next, ...before.filter((entry) => partIn(items, entry) === undefined)]
  if (!properties || !isRecord(before) || !isRecord(next)) return next
  const hidden = Object.entries(before).filter(([name]) => !Object.hasOwn(properties, name))
  const shown = Object.entries(next).map(([name, child]) => [
    name,
    mergedIn(properties[name] ?? {}, before[name], child),
  ])
  return Object.fromEntries([...hidden, ...shown])
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
