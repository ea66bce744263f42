import { type ExperimentDefinition, variableOf } from '../definition/definition.ts'
import { mayBeSeenBy } from '../definition/seen-by-role.ts'
import { mediaNameIn } from '../media/media-files.ts'
import { componentTypeOf } from './catalogue.ts'
import type { Settings } from './component-type.ts'
import type { MediaField } from './media-fields.ts'
import { mediaNamesCompared, mediaNamesOfAssignments, mediaNamesOfSettings } from './media-in-expressions.ts'
import {
  type MediaUse,
  mediaNamesOfConditions,
  mediaNamesOfVariables,
  mediaNamesWithin,
  stepOf,
} from './media-names.ts'
import { valuesAt } from './setting-places.ts'

/** Every place where a definition names a picture or a sound, or only those that a role sees; `null` has no role yet. */
export function mediaUsesIn(definition: ExperimentDefinition, role?: string | null): MediaUse[] {
  const { states, globalComponents = [], variables, conditions } = definition
  const seen = role === undefined ? undefined : mayBeSeenBy(role, definition.blocks)
  const tables: unknown = 'tables' in definition ? definition.tables : undefined
  const withSecrets = role === undefined
  const namedBy = (component: Settings, path: string): MediaUse[] => [
    ...componentMediaUses(component, path),
    ...mediaNamesOfSettings(component, path, withSecrets),
  ]
  const isTold = (name: string): boolean => withSecrets || !variableOf(variables?.[name]).secret
  return [
    ...states.flatMap((state, at) =>
      state.components.flatMap((component, index) =>
        !seen || seen.inState(state, component)
          ? namedBy(component, `/states/${at}/components/${index}`)
          : [],
      ),
    ),
    ...globalComponents.flatMap((component, index) =>
      !seen || seen.inAllStates(component) ? namedBy(component, `/globalComponents/${index}`) : [],
    ),
    // Who comes to see the variable, and in which state, is decided in the room.
    ...states.flatMap((state, at) => mediaNamesOfAssignments(state, `/states/${at}`, isTold)),
    ...(withSecrets ? mediaNamesCompared(definition) : []),
    // Whoever sees a row is decided in the room, so that a table belongs to everybody.
    ...usesInTables(tables),
    // So it is with values that settings take. What is secret, participants are told by no list of files, either.
    ...mediaNamesOfVariables(variables, withSecrets),
    ...mediaNamesOfConditions(conditions),
  ]
}

/** The files that a definition names, each once. */
export interface NamedFiles {
  ids: string[]
  names: string[]
}

export const namedFilesIn = (definition: ExperimentDefinition): NamedFiles =>
  namedFilesOf(mediaUsesIn(definition))

export function namedFilesOf(uses: readonly MediaUse[]): NamedFiles {
  const named = uses.map((use) => use.named)
  return {
    ids: [...new Set(named.flatMap((one) => ('mediaId' in one ? [one.mediaId] : [])))],
    names: [...new Set(named.flatMap((one) => ('name' in one ? [one.name] : [])))],
  }
}

/** Rows never change once they are read. Every participant asks for them, and looking through ten thousand takes a fifth of a second. */
const usesByRows = new WeakMap<object, MediaUse[]>()

function usesInTables(tables: unknown): MediaUse[] {
  return Object.entries(Object(tables)).flatMap(([id, source]) => {
    const rows: unknown = Object(source).rows
    const place = `/tables${stepOf(id)}/rows`
    if (!Array.isArray(rows)) return mediaNamesWithin(rows, place)
    const uses = usesByRows.get(rows) ?? mediaNamesWithin(rows, '')
    usesByRows.set(rows, uses)
    return uses.map((use) => ({ ...use, path: place + use.path }))
  })
}

/** The pictures and sounds that a component names. */
export function componentMediaUses(component: Settings, path = ''): MediaUse[] {
  const { type } = component
  const fields = typeof type === 'string' ? componentTypeOf(type).mediaFields : []
  return fields.flatMap((field) =>
    valuesAt(component, field.place, path).flatMap(({ value, path: at }) => useOf(field, value, at)),
  )
}

function useOf({ kind, by }: MediaField, value: unknown, path: string): MediaUse[] {
  if (by === 'id') return typeof value === 'string' ? [{ named: { mediaId: value }, kind, path }] : []
  const name = mediaNameIn(value)
  return name === undefined ? [] : [{ named: { name }, kind, path }]
}
