import { type Component, type ComponentView, issuesOf, type ValidationIssue } from '@atrium/contract'
import {
  type ComponentType,
  componentTypeOf,
  conditionsOfEntries,
  isAskable,
  isForEach,
  isRequired,
  type LiveSetting,
  liveSettingsOf,
  publicComponent,
  responseSchemaOf,
  targetsOf,
} from '@atrium/contract/components'
import { type Expression, hasInserts } from '@atrium/expressions'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { Value } from 'typebox/value'
import { compileExpression } from './compiled-expression.ts'
import { insertsOfComponent, type PlacedValue, type TemplateOf, valuesOfSetting } from './placed-inserts.ts'
import { askedAboutOne } from './targets.ts'

export interface ComponentBlueprint {
  component: Component
  type: ComponentType
  view: ComponentView
  /** Whether its texts may show values. */
  hasInserts: boolean
  /** R61: when it is shown; null for always. */
  when: Expression | null
  /** R62: it is asked once for each other member of the room. */
  isForEach: boolean
  /** R72: of them, only about the neighbours. */
  asksNeighbours: boolean
  /** The same as it is asked about one of them. */
  aboutOne: ComponentBlueprint
  /** The conditions of its options and rows. */
  entryConditions: readonly Expression[]
  /** Settings whose values are found in the room. */
  liveSettings: readonly LiveSetting[]
  /** The same component as a participant has it now. */
  settledAs(settled: Component): ComponentBlueprint
  inserts: readonly PlacedValue[]
  /** As JSON. */
  characters: number
  isRequired: boolean
  /** R61: whether it can be asked with the options and rows that it has. */
  isAskable: boolean
  /** Of its responses; null when it takes none. */
  responseSchema: TSchema | null
  issues(value: unknown): ValidationIssue[]
}

export interface GlobalBlueprint extends ComponentBlueprint {
  /** Where it is shown; everywhere when absent. */
  states: readonly string[] | undefined
}

/** Who is asked about changes when somebody takes a seat over, and when somebody leaves. */
const targetsOnPage: PlacedValue = {
  kind: 'targets',
  others: compileExpression('[others.alias, participants]'),
}

const aCondition = '"when":'
const aLiveSetting = /"from":|\{\{/
/** Of one component, with other options or rows: kept, because their schemas are compiled. */
const maxVariants = 50
/** Asked about everybody in a large group, a single one may have a million. */
const maxVariantCharacters = 2_000_000

/** Compiled at the first response: a definition may have ten thousand components, and compiling all of them takes a second. */
export function compileComponent(component: Component, templateOf: TemplateOf): ComponentBlueprint {
  const text = JSON.stringify(component)
  let checker: Parameters<typeof issuesOf>[0] | null | undefined
  let view: ComponentView | undefined
  let schema: TSchema | null | undefined
  let inserts: readonly PlacedValue[] | undefined
  let liveSettings: readonly LiveSetting[] | undefined
  let entryConditions: readonly Expression[] | undefined
  let askable: boolean | undefined
  let aboutOne: ComponentBlueprint | undefined
  const forEach = isForEach(component)
  const variants = new Map<string, ComponentBlueprint>()
  let variantCharacters = 0
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
    when: component.when === undefined ? null : compileExpression(component.when),
    isForEach: forEach,
    asksNeighbours: component.forEach === 'neighbours',
    get aboutOne() {
      aboutOne ??= compileComponent(askedAboutOne(component), templateOf)
      return aboutOne
    },
    get entryConditions() {
      entryConditions ??= text.includes(aCondition)
        ? conditionsOfEntries(component).map(({ when }) => compileExpression(when))
        : []
      return entryConditions
    },
    get liveSettings() {
      liveSettings ??= aLiveSetting.test(text) ? liveSettingsOf(component) : []
      return liveSettings
    },
    settledAs(settled) {
      if (settled === component) return this
      const key = JSON.stringify(settled)
      const known = variants.get(key)
      if (known) return known
      variantCharacters += key.length
      if (variants.size >= maxVariants || variantCharacters > maxVariantCharacters) {
        variants.clear()
        variantCharacters = key.length
      }
      const compiled = compileComponent(settled, templateOf)
      variants.set(key, compiled)
      return compiled
    },
    characters: text.length,
    get inserts() {
      inserts ??= [
        ...(forEach ? [targetsOnPage] : []),
        ...(this.hasInserts ? insertsOfComponent(this.view, templateOf) : []),
        ...[...(this.when ? [this.when] : []), ...this.entryConditions].map((when) => ({
          kind: 'condition' as const,
          when,
        })),
        ...this.liveSettings.flatMap((setting) => valuesOfSetting(setting, templateOf)),
      ]
      return inserts
    },
    isRequired: isRequired(component),
    get isAskable() {
      askable ??= isAskable(component)
      return askable
    },
    get responseSchema() {
      return schemaOnce()
    },
    issues(value) {
      if (checker === undefined) {
        const schema = schemaOnce()
        // Whom it asks about is different for everyone, so that the schema is used once: compiling it takes longer than a check.
        const isUsedOnce = targetsOf(component) !== undefined
        checker = schema && (isUsedOnce ? uncompiled(schema) : Compile(schema))
      }
      return checker
        ? issuesOf(checker, value)
        : [{ path: '', message: 'this component does not accept responses' }]
    },
  }
}

const uncompiled = (schema: TSchema) => ({
  Check: (value: unknown) => Value.Check(schema, value),
  Type: () => schema,
})

/** Whether its settings, options or rows differ between participants or moments. */
export const isLive = ({ entryConditions, liveSettings }: ComponentBlueprint): boolean =>
  entryConditions.length > 0 || liveSettings.length > 0

export const compileGlobal = (
  component: Component & { states?: readonly string[] },
  templateOf: TemplateOf,
): GlobalBlueprint => Object.assign(compileComponent(component, templateOf), { states: component.states })
