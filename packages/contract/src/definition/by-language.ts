import { languagePattern } from './participant-text.ts'

const language = new RegExp(languagePattern)

/** Whether it is a text for each of several languages: `{"en": "Yes", "de": "Ja"}`. */
export const isTextByLanguage = (value: unknown): value is Record<string, string> => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const entries = Object.entries(value)
  return (
    entries.length > 0 && entries.every(([name, text]) => language.test(name) && typeof text === 'string')
  )
}
