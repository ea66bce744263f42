import { ExperimentDefinition } from '@atrium/contract'
import { componentTypeOf } from '@atrium/contract/components'
import { isObject, type Path, textIn, valueAt } from '../core/document.ts'
import { memberOf, type Schema } from '../form/schema.ts'

/** What may stand at a place of a definition, given what stands around it. Several schemas where it has several forms. */
export function schemasAt(document: unknown, path: Path): Schema[] {
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
export function propertiesOf(schema: Schema, value: unknown): Readonly<Record<string, Schema>> {
  const { properties = {} } = schema
  const type = isObject(value) ? textIn(value.type) : undefined
  if (type === undefined || properties.type === undefined) return properties
  const settings = componentTypeOf(type).settings as unknown as Schema
  return { ...properties, ...settings.properties }
}
