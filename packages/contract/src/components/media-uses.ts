import type { ExperimentDefinition } from '../definition/definition.ts'
import { isForRole } from '../definition/state.ts'
import { type MediaKind, mediaNameIn } from '../media/media-files.ts'
import { componentTypeOf } from './catalogue.ts'
import type { Settings } from './component-type.ts'
import type { MediaField } from './media-fields.ts'

/** A place of a definition that names an uploaded picture or sound, by id or by name. */
export interface MediaUse {
  named: { mediaId: string } | { name: string }
  /** What the place can show; null where any file may stand, as in a table. */
  kind: MediaKind | null
  /** JSON pointer into the definition. */
  path: string
}

/** Every place where a definition names a picture or a sound, or only those that a role sees; `null` has no role yet. */
export function mediaUsesIn(definition: ExperimentDefinition, role?: string | null): MediaUse[] {
  const isSeen = (one: { roles?: readonly string[] }) => role === undefined || isForRole(one, role)
  const { states, globalComponents = [] } = definition
  const tables: unknown = 'tables' in definition ? definition.tables : undefined
  return [
    ...states.flatMap((state, at) =>
      state.components.flatMap((component, index) =>
        isSeen(state) && isSeen(component)
          ? componentMediaUses(component, `/states/${at}/components/${index}`)
          : [],
      ),
    ),
    ...globalComponents.flatMap((component, index) =>
      isSeen(component) ? componentMediaUses(component, `/globalComponents/${index}`) : [],
    ),
    // Whoever sees a row is decided in the room, so that a table belongs to everybody.
    ...mediaNamesWithin(tables, '/tables'),
  ]
}

/** The pictures and sounds that a component names. */
export function componentMediaUses(component: Settings, path = ''): MediaUse[] {
  const { type } = component
  const fields = typeof type === 'string' ? componentTypeOf(type).mediaFields : []
  return fields.flatMap((field) => usesOf(field, component, field.path, path))
}

/** Every `media:<name>` in a value, for example in the rows of a table. */
export function mediaNamesWithin(value: unknown, path: string): MediaUse[] {
  const name = mediaNameIn(value)
  if (name !== undefined) return [{ named: { name }, kind: null, path }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    mediaNamesWithin(inner, `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  )
}

function usesOf(field: MediaField, value: unknown, steps: readonly string[], path: string): MediaUse[] {
  const [step, ...rest] = steps
  if (step === undefined) return useOf(field, value, path)
  if (step === '*')
    return Array.isArray(value)
      ? value.flatMap((item, index) => usesOf(field, item, rest, `${path}/${index}`))
      : []
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return []
  const inner: unknown = Object.entries(value).find(([key]) => key === step)?.[1]
  return usesOf(field, inner, rest, `${path}/${step}`)
}

function useOf({ kind, by }: MediaField, value: unknown, path: string): MediaUse[] {
  if (by === 'id') return typeof value === 'string' ? [{ named: { mediaId: value }, kind, path }] : []
  const name = mediaNameIn(value)
  return name === undefined ? [] : [{ named: { name }, kind, path }]
}
