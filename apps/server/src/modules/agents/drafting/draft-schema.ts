import { plainParameters } from '@atrium/agent-protocol'
import type { TSchema } from 'typebox'
import { addressSettings } from './draft-pictures.ts'

export interface JsonSchema extends Record<string, unknown> {
  properties?: Record<string, JsonSchema>
  required?: string[]
}

interface Node extends JsonSchema {
  properties?: Record<string, Node>
  patternProperties?: Record<string, Node>
  items?: Node
  anyOf?: Node[]
  maxItems?: number
}

/** Grammars of model servers write out every item that a list may have. */
const maxDraftedItems = 50

/** A part of the definition as a model may write it: texts in one language, lists of a bounded length, no patterns, no addresses. */
export const draftSchema = (schema: TSchema): JsonSchema =>
  plainParameters(simplified(JSON.parse(JSON.stringify(schema))) as TSchema)

function simplified({ patternProperties, ...node }: Node): Node {
  const { properties, items, anyOf, maxItems } = node
  const [text] = anyOf ?? []
  if (text && anyOf?.some(isByLanguage)) return simplified({ ...node, anyOf: undefined, ...text } as Node)
  const [entry] = Object.values(patternProperties ?? {})
  return {
    ...node,
    ...(entry && { additionalProperties: simplified(entry) }),
    ...(maxItems !== undefined && { maxItems: Math.min(maxItems, maxDraftedItems) }),
    ...(items && { items: simplified(items) }),
    ...(anyOf && { anyOf: anyOf.map(simplified) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties)
          .filter(([name]) => !addressSettings.has(name))
          .map(([name, child]) => [name, simplified(child)]),
      ),
    }),
  }
}

/** `ParticipantText` is a text, or one for each language. */
const isByLanguage = (form: Node): boolean => form.description === 'By language'

export const plainObject = (properties: Record<string, JsonSchema>, required: string[]): JsonSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})

export const listOf = (items: JsonSchema, minItems: number, maxItems: number): JsonSchema => ({
  type: 'array',
  minItems,
  maxItems,
  items,
})
