import type { ExperimentDefinition } from '@atrium/contract'
import { changeTexts, isTextByLanguage, shortLabelsOf, type TextPlace } from '@atrium/contract'
import { error, type Finding, warning } from '@atrium/contract/components'
import { hasInserts } from '@atrium/expressions'

/** What no format of numbers accepts, such as `de-DE-DE`, would stop every room. */
function isLanguageTag(language: string): boolean {
  try {
    return Intl.getCanonicalLocales(language).length === 1
  } catch {
    return false
  }
}

/** Nobody reads more. */
const maxFindings = 100

/** What is missing in a language, and what is given in one that the experiment does not have. */
export function languageFindings(definition: ExperimentDefinition): Finding[] {
  const { languages = [] } = definition
  const found: Finding[] = languages.flatMap((language, at) => {
    if (!isLanguageTag(language))
      return [error(`/languages/${at}`, `‘${language}’ is not a language tag, such as ‘de’ or ‘pt-BR’`)]
    return languages.indexOf(language) < at
      ? [error(`/languages/${at}`, `duplicate language ‘${language}’`)]
      : []
  })
  changeTexts(definition, (text, place) => {
    if (found.length < maxFindings) found.push(...findingsAt(text, place, languages))
    return text
  })
  return languages.length > 1 ? [...found, ...shortLabelFindings(definition, languages)] : found
}

/** One for each list of options: whoever translates one translates all. */
function shortLabelFindings(definition: ExperimentDefinition, languages: readonly string[]): Finding[] {
  const inWords = shortLabelsOf(definition).filter(({ text }) => /\p{L}/u.test(text) && !hasInserts(text))
  const firstOfLists = new Map(inWords.toReversed().map((label) => [label.path.replace(/\/\d+$/, ''), label]))
  return [...firstOfLists.values()]
    .toReversed()
    .slice(0, maxFindings)
    .map(({ path, text }) =>
      warning(
        path,
        `‘${text}’ is the same in every language (${languages.join(', ')}); give the option a value, and a label in each`,
      ),
    )
}

function findingsAt(text: unknown, { path, format }: TextPlace, languages: readonly string[]): Finding[] {
  if (!isTextByLanguage(text))
    return languages.length > 1 && typeof text === 'string' && /\p{L}/u.test(text) && format !== 'html'
      ? [warning(path, `is the same in every language (${languages.join(', ')})`)]
      : []
  if (languages.length === 0)
    return [error(path, 'is given per language, but the definition has no ‘languages’')]
  const missing = languages.filter((language) => !Object.hasOwn(text, language))
  const foreign = Object.keys(text).filter((language) => !languages.includes(language))
  return [
    ...missing.map((language) => error(path, `has no text in ‘${language}’`)),
    ...foreign.map((language) => error(`${path}/${language}`, `‘${language}’ is not one of the languages`)),
  ]
}
