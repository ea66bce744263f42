import { languagePattern } from '../definition/participant-text.ts'
import type { SchemaNode } from './document.ts'

/**
 * The schema of settings as an author writes them, for the reference and for editors: a text that participants read is plain,
 * or one for each language. Inside, every text is plain (`inLanguage`), so that is what the declared schemas say.
 */
export function asWritten(schema: SchemaNode): SchemaNode {
  const { properties, items, anyOf, ...rest } = schema
  if (schema['x-text'] !== undefined) return textAsWritten(schema)
  return {
    ...rest,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, child]) => [name, asWritten(child)]),
      ),
    }),
    ...(items && { items: asWritten(items) }),
    // A text among other forms: the text by language is one form more.
    ...(anyOf && {
      anyOf: anyOf.map(asWritten).flatMap((form) => (form['x-text'] ? (form.anyOf ?? form) : form)),
    }),
  }
}

function textAsWritten({ type, pattern, ...about }: SchemaNode): SchemaNode {
  const text = { ...(type !== undefined && { type }), ...(pattern !== undefined && { pattern }) }
  const byLanguage: SchemaNode = {
    type: 'object',
    description: 'By language',
    patternProperties: { [languagePattern]: text },
    additionalProperties: false,
  }
  return { ...about, anyOf: [text, byLanguage] }
}
