import type { Annotations } from './annotations.ts'

/** The part of JSON Schema that settings use. */
export interface SettingSchema extends Partial<Annotations> {
  properties?: Record<string, SettingSchema>
  items?: SettingSchema
  anyOf?: SettingSchema[]
}

/** From the component on; `*` stands for each item of a list. */
export type SettingPlace = readonly string[]

/** Every setting that a schema has, at any depth; each form of a union stands in the same place. */
export const settingsOf = (
  schema: SettingSchema,
  place: SettingPlace = [],
): { schema: SettingSchema; place: SettingPlace }[] => [
  { schema, place },
  ...Object.entries(schema.properties ?? {}).flatMap(([name, child]) => settingsOf(child, [...place, name])),
  ...(schema.items ? settingsOf(schema.items, [...place, '*']) : []),
  ...(schema.anyOf ?? []).flatMap((form) => settingsOf(form, place)),
]

/** What stands in a place, each with a JSON pointer to it; of a list, there may be many. */
export function valuesAt(
  value: unknown,
  [step, ...rest]: SettingPlace,
  path = '',
): { value: unknown; path: string }[] {
  if (step === undefined) return [{ value, path }]
  if (step === '*')
    return Array.isArray(value)
      ? value.flatMap((item, index) => valuesAt(item, rest, `${path}/${index}`))
      : []
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return []
  return valuesAt(Reflect.get(value, step), rest, `${path}/${step}`)
}
