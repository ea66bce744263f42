import type { Static, TArray, TObject, TOptional, TSchema } from 'typebox'
import type { Annotations } from './annotations.ts'

type Defaulted = Pick<Annotations, 'default'>
type Secret = Pick<Annotations, 'writeOnly'>

/** Settings with their defaults filled in. Absent settings without a default are undefined. */
export type Filled<Schema extends TObject> = FilledWithout<Schema, never>

/** The same without secrets: what a participant, an agent or a bot knows about a component. */
export type Received<Schema extends TObject> = FilledWithout<Schema, Secret>

type FilledWithout<Schema extends TObject, Hidden> = {
  [Name in keyof Schema['properties'] as Schema['properties'][Name] extends Hidden
    ? never
    : Name]: FilledValue<Schema['properties'][Name], Hidden>
}

type FilledValue<Schema extends TSchema, Hidden> = Schema extends Defaulted
  ? Present<Schema, Hidden>
  : Schema extends TOptional
    ? Present<Schema, Hidden> | undefined
    : Present<Schema, Hidden>

type Present<Schema extends TSchema, Hidden> =
  Schema extends TArray<infer Item>
    ? Item extends TObject
      ? FilledWithout<Item, Hidden>[]
      : Static<Schema>
    : Static<Schema>

/** The part of JSON Schema that settings use. */
interface Node extends Partial<Annotations> {
  properties?: Record<string, Node>
  required?: string[]
  items?: Node
  anyOf?: Node[]
}

// Paths to secrets, such as `correct` or `questions/*/correct`.
export function secretPathsIn(schema: Node): string[] {
  const inProperties = Object.entries(schema.properties ?? {}).flatMap(([name, child]) =>
    child.writeOnly ? [name] : secretPathsIn(child).map((path) => `${name}/${path}`),
  )
  const inItems = schema.items ? secretPathsIn(schema.items).map((path) => `*/${path}`) : []
  return [...inProperties, ...inItems, ...(schema.anyOf ?? []).flatMap(secretPathsIn)]
}

/** The schema of what participants receive: secrets are removed, and no longer required. */
export function receivedSchemaOf(schema: Node): Node {
  const { properties, required, items, anyOf } = schema
  const shown = Object.entries(properties ?? {}).filter(([, child]) => !child.writeOnly)
  const names = shown.map(([name]) => name)
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(shown.map(([name, child]) => [name, receivedSchemaOf(child)])),
    }),
    ...(required && { required: required.filter((name) => names.includes(name)) }),
    ...(items && { items: receivedSchemaOf(items) }),
    ...(anyOf && { anyOf: anyOf.map(receivedSchemaOf) }),
  }
}

type Fill = (settings: Readonly<Record<string, unknown>>) => Record<string, unknown>

/**
 * Returns a function that copies known settings and fills in their defaults, including in lists of objects. Prepared
 * once per schema, because it runs for every response in a room.
 */
export function fillerFor({ properties = {} }: Node): Fill {
  const known = Object.entries(properties).map(([name, { default: whenAbsent, items }]) => ({
    name,
    whenAbsent,
    fillItem: items?.properties ? fillerFor(items) : null,
  }))
  return (settings) => {
    const filled: Record<string, unknown> = {}
    for (const { name, whenAbsent, fillItem } of known) {
      const value = settings[name] ?? whenAbsent
      if (value !== undefined) filled[name] = fillItem && Array.isArray(value) ? value.map(fillItem) : value
    }
    return filled
  }
}
