import { ExperimentDefinition } from '@atrium/contract'
import { componentTypeOf, componentTypes } from '@atrium/contract/components'
import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import { getLocation, parse } from 'jsonc-parser'
import { isObject, listIn, type Path, textIn, valueAt } from '../core/document.ts'
import { blankOf, kindOf, memberOf, type Schema } from '../form/schema.ts'
import { namedAt, namesIn } from '../names.ts'

/** Names and values that the schema of definitions allows at the cursor, with what they mean. */
export function completeDefinition({ state, pos, explicit }: CompletionContext): CompletionResult | null {
  const text = state.doc.toString()
  const location = getLocation(text, pos)
  const node = location.previousNode
  const isInside = node !== undefined && node.type !== 'object' && node.type !== 'array' && node.offset <= pos
  const from = isInside ? node.offset : pos
  const to = isInside ? Math.max(node.offset + node.length, pos) : pos
  if (!isInside && !explicit) return null
  // What is unfinished is read as far as possible.
  const document: unknown = parse(text)
  const path = location.path
  const options = location.isAtPropertyKey
    ? namesAt(document, path.slice(0, -1), /^\s*:/.test(text.slice(to)))
    : valuesAt(document, path)
  return options.length === 0 ? null : { from, to, options, filter: true }
}

function namesAt(document: unknown, path: Path, hasColon: boolean): Completion[] {
  const value = valueAt(document, path)
  const present = isObject(value) ? Object.keys(value) : []
  const names = new Map<string, Schema>()
  for (const schema of schemasAt(document, path))
    for (const [name, each] of Object.entries(propertiesOf(schema, value))) names.set(name, each)
  return [...names]
    .filter(([name]) => !present.includes(name))
    .map(([name, schema]) => ({
      label: JSON.stringify(name),
      apply: hasColon ? JSON.stringify(name) : `${JSON.stringify(name)}: ${JSON.stringify(blankOf(schema))}`,
      type: 'property',
      ...(schema.description !== undefined && { info: schema.description }),
    }))
}

function valuesAt(document: unknown, path: Path): Completion[] {
  const last = path.findLast((key) => typeof key === 'string')
  const isType = path.at(-1) === 'type' && path.includes('components')
  const referred = namesIn(document).byProperty.get(namedAt(String(last ?? ''), path))
  const found = isType
    ? Object.values(componentTypes).map(({ type, description }) => ({ value: type, info: description }))
    : [
        ...schemasAt(document, path).flatMap(allowedBy),
        ...listIn(referred).map((value) => ({ value, info: undefined })),
      ]
  return found.map(({ value, info }) => ({
    label: JSON.stringify(value),
    type: 'enum',
    ...(info !== undefined && { info }),
  }))
}

function allowedBy(schema: Schema): { value: unknown; info: string | undefined }[] {
  const field = kindOf(schema)
  const info = schema.description
  if (field.kind === 'choice') return field.options.map((value) => ({ value, info }))
  if (field.kind === 'flag') return [true, false].map((value) => ({ value, info }))
  return []
}

/** What may stand at a place of a definition, given what stands around it. Several schemas where it has several forms. */
function schemasAt(document: unknown, path: Path): Schema[] {
  let found: Schema[] = [ExperimentDefinition as unknown as Schema]
  for (const [depth, key] of path.entries()) {
    const value = valueAt(document, path.slice(0, depth))
    found = found.flatMap((schema) => forms(schema, value)).flatMap((schema) => inner(schema, value, key))
  }
  const here = valueAt(document, path)
  return found.flatMap((schema) => forms(schema, here))
}

/** The form in which a union is written there; all of them while that cannot be told. */
function forms({ anyOf, ...schema }: Schema, value: unknown): Schema[] {
  if (!anyOf) return [schema]
  const chosen = value === undefined ? undefined : memberOf(anyOf, value)
  const members = chosen === undefined ? anyOf : anyOf.filter((_, at) => at === chosen)
  return members.flatMap((member) => forms(member, value))
}

function inner(schema: Schema, value: unknown, key: string | number): Schema[] {
  if (typeof key === 'number') return schema.items ? [schema.items] : []
  const known = propertiesOf(schema, value)[key]
  if (known) return [known]
  return Object.values(schema.patternProperties ?? {})
}

/** With the settings of a component’s type, which its own schema leaves open. */
function propertiesOf(schema: Schema, value: unknown): Readonly<Record<string, Schema>> {
  const { properties = {} } = schema
  const type = isObject(value) ? textIn(value.type) : undefined
  if (type === undefined || properties.type === undefined) return properties
  const settings = componentTypeOf(type).settings as unknown as Schema
  return { ...properties, ...settings.properties }
}
