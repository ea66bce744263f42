import { livePlacesOf } from '../components/live-settings.ts'
import type { SchemaNode } from './document.ts'

/** F58: what may stand in the place of a setting that is found in the room. */
export const valueOfRoom: SchemaNode = {
  title: 'From a value',
  description: 'An expression, whose value the setting takes for each participant',
  anyOf: [
    {
      type: 'object',
      properties: { from: { type: 'string' } },
      required: ['from'],
      additionalProperties: false,
    },
    { type: 'string', pattern: '\\{\\{' },
  ],
}

/** The schema of a type, with that possibility wherever there is one. */
export function orFromValue(schema: SchemaNode, type: Parameters<typeof livePlacesOf>[0]): SchemaNode {
  const isLive = livePlacesOf(type)

  const within = ({ properties, items, anyOf, ...rest }: SchemaNode): SchemaNode => ({
    ...rest,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, child]) => [name, place(child)])),
    }),
    ...(items && { items: place(items) }),
    ...(anyOf && { anyOf: anyOf.map(within) }),
  })

  function place(node: SchemaNode): SchemaNode {
    const forms = node.anyOf ?? [node]
    if (!forms.some((form) => isLive(form))) return within(node)
    const { title, description, ...rest } = within(node)
    return {
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      anyOf: [rest, { $ref: '#/$defs/ValueOfRoom' }],
    }
  }

  return within(schema)
}
