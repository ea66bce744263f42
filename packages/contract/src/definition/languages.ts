import type { ExperimentDefinition } from './definition.ts'
import { isTextByLanguage } from './participant-text.ts'
import { changeTexts } from './texts.ts'

/** The languages of an experiment; the first is for everyone who prefers none of them. */
export const languagesOf = ({
  languages,
}: Pick<ExperimentDefinition, 'languages'>): [string, ...string[]] => {
  const [first = 'en', ...others] = languages ?? []
  return [first, ...others]
}

/** One text in a language: in the experiment's first language where it is not given in this one. */
export const textIn = (text: unknown, language: string, first: string): unknown =>
  isTextByLanguage(text) ? (text[language] ?? text[first] ?? Object.values(text)[0]) : text

/** The definition as participants with this language read it: every text is plain. */
export function inLanguage(
  definition: ExperimentDefinition,
  language: string | undefined = undefined,
): ExperimentDefinition {
  if (!definition.languages) return definition
  const [first, ...others] = languagesOf(definition)
  const chosen = language !== undefined && others.includes(language) ? language : first
  return changeTexts(definition, (text) => textIn(text, chosen, first))
}

/** The name that researchers see. */
export const nameOf = (definition: Pick<ExperimentDefinition, 'name' | 'languages'>): string => {
  const [first] = languagesOf(definition)
  return String(textIn(definition.name, first, first))
}
