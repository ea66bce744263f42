import { ExperimentDefinition } from '@atrium/contract'
import { componentTypeOf } from '@atrium/contract/components'
import type { Schema } from './form/schema.ts'

const { properties: parts = {} } = ExperimentDefinition as unknown as Schema

export const stateSchema: Schema = parts.states?.items ?? {}
const componentSchema: Schema = stateSchema.properties?.components?.items ?? {}
const globalSchema: Schema = parts.globalComponents?.items ?? {}

/** The settings of a component: those of its type first, then those that every component has. */
export function schemaOfComponent(type: string, isGlobal: boolean): Schema {
  const { settings } = componentTypeOf(type)
  const own = settings as unknown as Schema
  const shared = isGlobal ? globalSchema : componentSchema
  return {
    type: 'object',
    properties: { ...own.properties, ...shared.properties },
    required: [...(own.required ?? []), ...(shared.required ?? [])],
  }
}
