import type { TSchema } from 'typebox'
import type { SchemaNode } from './document.ts'

export const schemaRef = (name: string) => `#/components/schemas/${name}`

/**
 * Turns TypeBox schemas into plain JSON and replaces named schemas by a `$ref`. Compares by content, not by
 * identity, because `Type.Optional` copies the schema that it wraps.
 */
export function createPlainSchemas(named: Readonly<Record<string, TSchema>>) {
  const nameByContent = new Map(Object.entries(named).map(([name, schema]) => [JSON.stringify(schema), name]))

  const withRefs = (node: SchemaNode): SchemaNode => {
    const name = nameByContent.get(JSON.stringify(node))
    return name === undefined ? withChildren(node) : { $ref: schemaRef(name) }
  }
  const withChildren = (node: SchemaNode): SchemaNode => {
    const copy = { ...node }
    if (node.properties) copy.properties = mapValues(node.properties, withRefs)
    if (node.patternProperties) copy.patternProperties = mapValues(node.patternProperties, withRefs)
    if (node.items) copy.items = withRefs(node.items)
    if (node.anyOf) copy.anyOf = node.anyOf.map(withRefs)
    return readable(copy)
  }

  return {
    plain: (schema: TSchema) => withRefs(asJson(schema)),
    components: () => mapValues(named, (schema) => withChildren(asJson(schema))),
  }
}

export type PlainSchemas = ReturnType<typeof createPlainSchemas>

const asJson = (schema: TSchema): SchemaNode => JSON.parse(JSON.stringify(schema))

const mapValues = <In, Out>(record: Readonly<Record<string, In>>, change: (value: In) => Out) =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]))

const anyKey = '^.*$'

/** Rewrites a schema into the equivalent form that people and client generators expect. */
function readable(node: SchemaNode): SchemaNode {
  if (node.anyOf) return readableUnion(node, node.anyOf)
  if (node.enum?.every((value) => typeof value === 'string')) return { type: 'string', ...node }
  if (!node.patternProperties || !(anyKey in node.patternProperties)) return node
  const { patternProperties, ...rest } = node
  const value = patternProperties[anyKey] ?? {}
  return { ...rest, additionalProperties: Object.keys(value).length === 0 ? true : value }
}

function readableUnion(node: SchemaNode, alternatives: SchemaNode[]): SchemaNode {
  const { anyOf: _replaced, ...rest } = node
  const [first, second] = alternatives
  if (alternatives.every((each) => each.type === 'string' && each.const !== undefined))
    return { type: 'string', enum: alternatives.map((each) => each.const), ...rest }
  if (alternatives.length === 2 && typeof first?.type === 'string' && second?.type === 'null' && !first.enum)
    return { ...first, type: [first.type, 'null'], ...rest }
  return node
}
