import { type Component, type ComponentView, issuesOf, type ValidationIssue } from '@atrium/contract'
import {
  type ComponentType,
  componentTypeOf,
  isRequired,
  publicComponent,
  responseSchemaOf,
} from '@atrium/contract/components'
import { hasInserts } from '@atrium/expressions'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { insertsOfComponent, type PlacedInsert, type TemplateOf } from './placed-inserts.ts'

export interface ComponentBlueprint {
  component: Component
  type: ComponentType
  view: ComponentView
  /** Whether its texts may show values. */
  hasInserts: boolean
  inserts: readonly PlacedInsert[]
  /** As JSON. */
  characters: number
  isRequired: boolean
  /** Of its responses; null when it takes none. */
  responseSchema: TSchema | null
  issues(value: unknown): ValidationIssue[]
}

export interface GlobalBlueprint extends ComponentBlueprint {
  /** Where it is shown; everywhere when absent. */
  states: readonly string[] | undefined
}

/** Compiled at the first response: a definition may have ten thousand components, and compiling all of them takes a second. */
export function compileComponent(component: Component, templateOf: TemplateOf): ComponentBlueprint {
  const text = JSON.stringify(component)
  let checker: ReturnType<typeof Compile> | null | undefined
  let view: ComponentView | undefined
  let schema: TSchema | null | undefined
  let inserts: readonly PlacedInsert[] | undefined
  const schemaOnce = (): TSchema | null => {
    schema ??= responseSchemaOf(component) ?? null
    return schema
  }
  return {
    component,
    type: componentTypeOf(component.type),
    get view() {
      view ??= publicComponent(component)
      return view
    },
    hasInserts: hasInserts(text),
    characters: text.length,
    get inserts() {
      inserts ??= this.hasInserts ? insertsOfComponent(this.view, templateOf) : []
      return inserts
    },
    isRequired: isRequired(component),
    get responseSchema() {
      return schemaOnce()
    },
    issues(value) {
      if (checker === undefined) {
        const schema = schemaOnce()
        checker = schema ? Compile(schema) : null
      }
      return checker
        ? issuesOf(checker, value)
        : [{ path: '', message: 'this component does not accept responses' }]
    },
  }
}

export const compileGlobal = (
  component: Component & { states?: readonly string[] },
  templateOf: TemplateOf,
): GlobalBlueprint => Object.assign(compileComponent(component, templateOf), { states: component.states })
