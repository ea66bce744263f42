import type { SchemaNode } from './document.ts'
import { type NamedSchemas, refName, resolveSchema } from './reading.ts'

/** Part of a type as text; `schema` names a schema that is described elsewhere. */
export interface TypePart {
  text: string
  schema?: string
}

export interface Field {
  /** An `alternative` is one form of a union; the fields of that form follow it. */
  kind: 'field' | 'alternative'
  name: string
  depth: number
  type: TypePart[]
  limits: string
  required: boolean
  /** Short human-readable name, if the schema has one. */
  title?: string | undefined
  description: string
}

/** The fields of a schema, each followed by its nested fields. Named schemas below the top are not expanded. */
export function fieldsOf(document: NamedSchemas, schema: SchemaNode, depth = 0): Field[] {
  const node = depth === 0 ? resolveSchema(document, schema) : schema
  if (node.anyOf) return alternativesOf(document, node.anyOf, depth)
  if (node.items) return fieldsOf(document, node.items, depth)
  return Object.entries(node.properties ?? {}).flatMap(([name, child]) => [
    {
      kind: 'field' as const,
      name,
      depth,
      type: typeOf(child),
      limits: limitsOf(child),
      required: node.required?.includes(name) ?? false,
      title: child.title,
      description: descriptionOf(document, child),
    },
    ...fieldsOf(document, child, depth + 1),
  ])
}

/** Labels each form with its constant, as in `on: "timed"`, if it has one. */
function alternativesOf(document: NamedSchemas, alternatives: SchemaNode[], depth: number): Field[] {
  const objects = alternatives.filter((each) => each.properties)
  if (depth > 0 && objects.length <= 1) return objects.flatMap((each) => fieldsOf(document, each, depth))
  return alternatives.flatMap((each) => {
    const [tell] = Object.entries(each.properties ?? {}).find(([, child]) => child.const !== undefined) ?? []
    return [
      {
        kind: 'alternative' as const,
        name: tell === undefined ? '' : `${tell}: ${JSON.stringify(each.properties?.[tell]?.const)}`,
        depth,
        type: typeOf(each),
        limits: limitsOf(each),
        required: false,
        description: descriptionOf(document, each),
      },
      ...fieldsOf(document, each, depth + 1).filter(({ name }) => name !== tell),
    ]
  })
}

function descriptionOf(document: NamedSchemas, node: SchemaNode): string {
  const own = resolveSchema(document, node).description
  return own ?? (node.items ? descriptionOf(document, node.items) : '')
}

export function typeOf(node: SchemaNode): TypePart[] {
  const name = refName(node)
  if (name !== undefined) return [{ text: name, schema: name }]
  if (node.const !== undefined) return [{ text: JSON.stringify(node.const) }]
  if (node.enum) return [{ text: node.enum.map((value) => JSON.stringify(value)).join(' | ') }]
  if (node.anyOf)
    return node.anyOf.flatMap((each, at) => [...(at > 0 ? [{ text: ' | ' }] : []), ...typeOf(each)])
  if (node.type === 'array') return [{ text: 'array of ' }, ...typeOf(node.items ?? {})]
  if (node.type === 'object') return mapType(node)
  if (Array.isArray(node.type)) return [{ text: node.type.join(' | ') }]
  return [{ text: node.type ?? 'any value' }]
}

function mapType(node: SchemaNode): TypePart[] {
  const [pattern] = Object.values(node.patternProperties ?? {})
  const value =
    pattern ?? (typeof node.additionalProperties === 'object' ? node.additionalProperties : undefined)
  return value ? [{ text: 'map of ' }, ...typeOf(value)] : [{ text: 'object' }]
}

/** The latest time of a JavaScript date, which is the maximum of every time and duration in milliseconds. */
const latestTime = 8_640_000_000_000_000

/** The bounds in words: `1 to 200 characters`, `at least 1`, `at most 500 items`. */
export function limitsOf(node: SchemaNode): string {
  const text = textOfEither(node)
  if (text) return limitsOf(text)
  const parts = [
    node.maximum === latestTime
      ? // Durations may be fractions of a millisecond; times are whole.
        node.type === 'number'
        ? 'milliseconds'
        : 'milliseconds since 1970'
      : between(node.minimum, node.maximum, unitOf(node)),
    between(node.minItems, node.maxItems, node.minItems === 1 && !node.maxItems ? ' item' : ' items'),
    node.format === 'date-time' ? 'ISO 8601' : (node.format ?? ''),
    patternInWords(node.pattern),
    node.type === 'array' && node.items && !node.items.$ref ? limitsOf(node.items) : '',
  ]
  return parts.filter(Boolean).join(', ')
}

/** A text that may also be given by language has the same limits in both forms. */
function textOfEither({ anyOf = [] }: SchemaNode): SchemaNode | undefined {
  const [text, byLanguage] = anyOf
  const isEither =
    anyOf.length === 2 && text?.type === 'string' && byLanguage?.patternProperties !== undefined
  return isEither ? text : undefined
}

const unitOf = ({ 'x-unit': unit }: SchemaNode) => (unit === undefined ? '' : ` ${unit}`)

function between(min: number | undefined, max: number | undefined, unit: string): string {
  if (min !== undefined && max !== undefined) return `${grouped(min)} to ${grouped(max)}${unit}`
  if (min !== undefined) return `at least ${grouped(min)}${unit}`
  return max === undefined ? '' : `at most ${grouped(max)}${unit}`
}

const grouped = (value: number) => value.toLocaleString('en')

/** `Name` and `Prose` limit the length with a pattern; readers get the limit in words. */
function patternInWords(pattern: string | undefined): string {
  if (pattern === undefined) return ''
  const text = /^\^\[\^[^\]]*\]\{(\d+),(\d+)\}\$$/.exec(pattern)
  return text ? between(Number(text[1]), Number(text[2]), ' characters') : `matches \`${pattern}\``
}
