import { type ChatTool, respondTool } from '@atrium/agent-protocol'
import { Component, ExperimentDefinition, State } from '@atrium/contract'
import { componentTypes } from '@atrium/contract/components'
import { isRecord } from '../providers/read-completion.ts'
import { withoutAddresses, withoutPictures } from './draft-pictures.ts'
import { draftSchema, type JsonSchema, listOf, plainObject } from './draft-schema.ts'

/** Types that load something from elsewhere, or run what an author has written: a model has neither to give. */
const notDrafted: ReadonlySet<string> = new Set(['image', 'video', 'audio', 'jspsych', 'custom_html'])

const draftableTypes = Object.values(componentTypes).filter(({ type }) => !notDrafted.has(type))

/** Used when a model does not say what it needs. */
const usualTypes = ['text', 'consent', 'multiple_choice', 'likert', 'slider', 'text_input', 'chat', 'payoff']

/** More make the schema too large for models with a short memory. */
const maxTypes = 12

/** What a model may write besides the states. Who recruits, who pays and what is sent elsewhere is for people to decide. */
const partNames = [
  ...(['name', 'description', 'minutes', 'roles', 'variables', 'conditions', 'blocks'] as const),
  ...(['pacing', 'matching', 'dropout', 'consent'] as const),
]
const draftableParts: ReadonlySet<string> = new Set([...partNames, 'states', 'completion'])

/** R34, for authors: the first of two steps, so that the second describes only the types that the study needs. */
export const componentChoiceTool = (): ChatTool =>
  respondWith('Say which component types the study needs.', {
    types: {
      description: 'As few as possible.',
      ...listOf({ type: 'string', enum: draftableTypes.map(({ type }) => type) }, 1, maxTypes),
    },
  })

/** The second step: a whole definition, with the settings of the chosen types. */
export function draftTool(types: readonly string[]): ChatTool {
  const { components: _, ...state } = draftSchema(State).properties ?? {}
  const parts = partNames.map((name) => [name, draftSchema(ExperimentDefinition.properties[name])])
  const components = listOf({ anyOf: types.map(componentSchema) }, 0, 20)
  const states = listOf(plainObject({ ...state, components }, ['id', 'components']), 1, 30)
  // No address to go to: that is a setting of the recruiting site.
  const codes = { type: 'object', additionalProperties: { type: 'string' }, description: 'Outcome → code' }
  const completion = plainObject({ codes }, [])
  return respondWith('Hand in the definition of the study.', {
    definition: plainObject({ ...Object.fromEntries(parts), states, completion }, ['name', 'states']),
  })
}

function componentSchema(type: string): JsonSchema {
  const { type: _, ...common } = draftSchema(Component).properties ?? {}
  const found = draftableTypes.find((each) => each.type === type)
  const settings = found ? draftSchema(found.settings) : {}
  return {
    ...plainObject({ ...common, ...settings.properties, type: { type: 'string', const: type } }, [
      ...new Set(['id', 'type', ...(settings.required ?? [])]),
    ]),
    ...(found && { description: found.description }),
  }
}

const respondWith = (description: string, properties: Record<string, JsonSchema>): ChatTool => ({
  type: 'function',
  function: {
    name: respondTool,
    description,
    parameters: plainObject(properties, Object.keys(properties)),
  },
})

/** Each type in a line, for the first step; with an example, for the second. */
export const typesInWords = (chosen?: readonly string[]): string =>
  draftableTypes
    .filter(({ type }) => chosen === undefined || chosen.includes(type))
    .map(({ type, description, example }) =>
      chosen === undefined ? `${type}: ${description}` : JSON.stringify({ id: 'x', type, ...example }),
    )
    .join('\n')

/** The types that a model has asked for, as far as there are any. */
export function readChosenTypes(given: unknown): string[] {
  const asked = isRecord(given) && Array.isArray(given.types) ? given.types : []
  const known = draftableTypes.map(({ type }) => type).filter((type) => asked.includes(type))
  return known.length === 0 ? usualTypes : known.slice(0, maxTypes)
}

interface ReadDraft {
  definition: Record<string, unknown>
  /** What was written although it was not offered, and is not in the definition. */
  leftOut: string[]
}

/** What a model has handed in, without anything that it may not draft. Undefined if there is no definition in it. */
export function readDraft(given: unknown): ReadDraft | undefined {
  // Some models leave out the outer object.
  const inner = isRecord(given) && isRecord(given.definition) ? given.definition : given
  if (!isRecord(inner) || !Array.isArray(inner.states)) return undefined
  const leftOut = new Set<string>()
  const isKept = (name: string, isAllowed: boolean): boolean => {
    if (!isAllowed) leftOut.add(name.slice(0, 64))
    return isAllowed
  }
  const kept = Object.entries(inner).filter(([name]) => isKept(name, draftableParts.has(name)))
  const definition: Record<string, unknown> = Object.fromEntries(kept)
  definition.states = inner.states.map((state) =>
    isRecord(state) && Array.isArray(state.components)
      ? {
          ...state,
          components: state.components.filter(isDrafted).map((each) => withoutAddresses(each, leave)),
        }
      : state,
  )
  if (isRecord(inner.completion)) {
    const names = Object.entries(inner.completion)
    definition.completion = Object.fromEntries(names.filter(([name]) => isKept(name, name === 'codes')))
  }
  const shown = Object.entries(definition).map(([name, part]) => [name, withoutPictures(part, leave)])
  return { definition: Object.fromEntries(shown), leftOut: [...leftOut].slice(0, 50) }

  function leave(name: string): void {
    leftOut.add(name)
  }

  /** Without a name as its type, nobody knows what would be shown: a list of one name finds the same view as the name. */
  function isDrafted(component: unknown): boolean {
    const type = isRecord(component) && typeof component.type === 'string' ? component.type : undefined
    return isKept(type ?? 'components without a type', type !== undefined && !notDrafted.has(type))
  }
}
