import { componentTypes } from '../components/catalogue.ts'
import { asWritten } from './as-written.ts'
import type { OpenApiDocument, SchemaNode } from './document.ts'
import { orFromValue, valueOfRoom } from './from-value.ts'
import { schemaRef } from './plain-schema.ts'
import { partsOf } from './reading.ts'

interface DefinitionSchema extends SchemaNode {
  $schema: string
  $defs: Record<string, SchemaNode>
}

/**
 * The JSON Schema of a definition as its author writes it, with the settings of every component type: for editors, and for
 * whoever makes definitions by program. Saving checks more: that names are unique, that what is referred to exists.
 */
export function definitionSchema(document: OpenApiDocument): DefinitionSchema {
  const { schemas } = document.components
  const parts = partsOf(document, 'ExperimentDefinition')
  const defs = Object.fromEntries(parts.map((name) => [name, localRefs(schemas[name] ?? {})]))
  for (const name of ['Component', 'GlobalComponent'])
    defs[name] = { ...defs[name], allOf: Object.keys(componentTypes).map(settingsOf) }
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $ref: '#/$defs/ExperimentDefinition',
    $defs: {
      ...defs,
      ValueOfRoom: valueOfRoom,
      ...Object.fromEntries(
        Object.values(componentTypes).map(({ type, title, settings, plays }) => [
          `settings.${type}`,
          { ...orFromValue(asWritten(JSON.parse(JSON.stringify(settings))), { plays }), title },
        ]),
      ),
    },
  }
}

/** Unknown types and settings are kept and reported, so only the known ones are described. */
const settingsOf = (type: string): SchemaNode => ({
  if: { properties: { type: { const: type } } },
  // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema, never awaited
  then: { $ref: `#/$defs/settings.${type}` },
})

const localRefs = (schema: SchemaNode): SchemaNode =>
  JSON.parse(JSON.stringify(schema).replaceAll(`"${schemaRef('')}`, '"#/$defs/'))
