import type { TSchema } from 'typebox'
import { componentTypeOf } from './catalogue.ts'
import type { Settings } from './component-type.ts'
import { isForEach, schemaForAnyone } from './for-each.ts'
import { withStandIns } from './live-settings.ts'

/**
 * The schema of what is stored and read by expressions, which may hold more than what was sent. Where settings come from values,
 * it says what holds whatever these are: what is alike for two values of each.
 */
export function recordedSchemaOf(component: Settings): TSchema | undefined {
  const schema = recordedOnce(component)
  return schema && isForEach(component) ? schemaForAnyone(schema) : schema
}

function recordedOnce(component: Settings): TSchema | undefined {
  const type = componentTypeOf(typeof component.type === 'string' ? component.type : '')
  if (type.responds === 'none') return undefined
  const [one, other] = [withStandIns(component), withStandIns(component, 'other')]
  if (one === component) return type.recorded(component)
  return alike(type.recorded(one), type.recorded(other)) as TSchema
}

/** What two schemas say alike. */
function alike(one: object, other: object): object {
  const kept = Object.entries(one).flatMap(([key, value]): [string, unknown][] => {
    const second: unknown = Object.hasOwn(other, key) ? Reflect.get(other, key) : undefined
    if (JSON.stringify(value) === JSON.stringify(second)) return [[key, value]]
    return isSchema(value) && isSchema(second) ? [[key, alike(value, second)]] : []
  })
  const isComplete = !('required' in one) || kept.some(([key]) => key === 'required')
  return Object.fromEntries(kept.filter(([key]) => key !== 'additionalProperties' || isComplete))
}

const isSchema = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
