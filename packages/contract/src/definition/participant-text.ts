import { type TSchema, Type } from 'typebox'
import { RecordOf } from '../record-of.ts'

export const languagePattern = '^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$'

/**
 * A text that participants read: for everyone, or one for each language of the experiment. Its type is that of the plain
 * text, because `inLanguage` comes before everything that reads a definition, apart from its author's own view.
 */
export const ParticipantText = <Text extends TSchema & { description?: string }>(text: Text) =>
  Type.Unsafe<string>(
    Type.Union(
      [text, RecordOf(Type.String({ pattern: languagePattern }), text, { description: 'By language' })],
      { description: text.description ?? '' },
    ),
  )

const language = new RegExp(languagePattern)

/** Whether it is a text for each of several languages: `{"en": "Yes", "de": "Ja"}`. */
export const isTextByLanguage = (value: unknown): value is Record<string, string> => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const entries = Object.entries(value)
  return (
    entries.length > 0 && entries.every(([name, text]) => language.test(name) && typeof text === 'string')
  )
}
