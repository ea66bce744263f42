import { ExperimentDefinition } from '@atrium/contract'
import { canBeAskedForEach, componentTypeOf, livePlacesOf } from '@atrium/contract/components'
import { kindOf, type Schema } from './form/schema.ts'

const { properties: parts = {} } = ExperimentDefinition as unknown as Schema

export const stateSchema: Schema = parts.states?.items ?? {}
export const stageSchema: Schema = parts.stages?.items ?? {}
const componentSchema: Schema = stateSchema.properties?.components?.items ?? {}
const globalSchema: Schema = parts.globalComponents?.items ?? {}

const known = new Map<string, Schema>()

/** The settings of a component: those of its type first, then those that every component has. The same object each time. */
export function schemaOfComponent(type: string, isGlobal: boolean): Schema {
  const key = `${type} ${isGlobal}`
  const schema = known.get(key) ?? makeSchema(type, isGlobal)
  known.set(key, schema)
  return schema
}

function makeSchema(type: string, isGlobal: boolean): Schema {
  const declared = componentTypeOf(type)
  const { settings, plays } = declared
  const own = settings as unknown as Schema
  const shared = isGlobal ? globalSchema : componentSchema
  const { forEach, ...sharedByAll } = shared.properties ?? {}
  const isLive = livePlacesOf({ plays })
  // An address is typed with its expressions in it.
  const mayBeFromValue = (node: Schema): boolean =>
    kindOf(node).kind !== 'text' && (node.anyOf ?? [node]).some((form) => isLive(form))
  const properties = Object.entries(own.properties ?? {}).map(([name, node]): [string, Schema] => [
    name,
    mayBeFromValue(node) ? { ...node, 'x-from-value': true } : node,
  ])
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(properties),
      ...sharedByAll,
      ...(forEach && canBeAskedForEach(declared) && { forEach }),
    },
    required: [...(own.required ?? []), ...(shared.required ?? [])],
  }
}
