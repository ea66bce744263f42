import {
  type Component,
  changeTexts,
  type ExperimentDefinition,
  groupSizeOf,
  inLanguage,
  languagesOf,
  type State,
  type TextPlace,
  textIn,
} from '@atrium/contract'
import { isForEach } from '@atrium/contract/components'
import { formsOfLanguage, hasInserts, type ParsedTemplate, parseTemplate } from '@atrium/expressions'
import { createPageChecks } from './check-pages.ts'
import { type CheckedText, checkText } from './check-text.ts'
import { type DeclaredNames, namesFor, sourcesIn } from './definition-names.ts'
import { createFindings, type Findings } from './findings.ts'
import { withEach } from './for-each.ts'
import { sourcesInTexts } from './sources.ts'

/**
 * Checks the values in every text, in each language. Each distinct text is parsed once, wherever and in however many
 * languages it stands: the work follows the size of the definition and not of its translations.
 */
export function checkTexts(
  written: ExperimentDefinition,
  declared: DeclaredNames,
  parse: (text: string) => ParsedTemplate = parseTemplate,
): Findings {
  const { found, addError, addWarning, isFull } = createFindings()
  const sources = sourcesInTexts(written, declared.sources)
  const names = { ...namesFor(declared, false), sources }
  /** Of texts that read a trial, which one depends on the state; of those that read one of the others, on the component. */
  const checksAt = ({ path }: TextPlace, text: string) => {
    const inState = text.includes('trial')
      ? sourcesIn({ ...declared, sources }, stateAt(written, path)?.id)
      : sources
    return { declared, parse, names: { ...names, sources: withEach(inState, componentAt(written, path)) } }
  }
  const checked = new Map<string, CheckedText>()
  function checkedOnce(text: string, place: TextPlace): CheckedText {
    const state = text.includes('trial') ? stateAt(written, place.path)?.id : undefined
    const isOfEach = text.includes('each') && isForEach(componentAt(written, place.path) ?? {})
    const key = `${place.format} ${place.isInRoom} ${isOfEach} ${state ?? ''} ${text}`
    const known = checked.get(key) ?? checkText(text, place, checksAt(place, text))
    checked.set(key, known)
    return known
  }
  /** A component that asks about each of them shows its texts as often. */
  const others = Math.max(1, groupSizeOf(written).max - 1)
  const languages = languagesOf(written)
  const pages = createPageChecks(inLanguage(written, languages[0]))
  const formsOf = new Map(languages.map((language) => [language, formsOfLanguage(language)]))
  changeTexts(written, (given, place) => {
    if (!place.isDeclared || place.format === 'html' || isFull()) return given
    for (const [language, forms] of formsOf) {
      const text = textIn(given, language, languages[0])
      if (typeof text !== 'string' || !hasInserts(text)) continue
      const { errors, warnings, plurals, values } = checkedOnce(text, place)
      const isOfEach = isForEach(componentAt(written, place.path) ?? {})
      pages.count(language, place.path, isOfEach ? { ...values, count: values.count * others } : values)
      for (const message of errors) addError(place.path, message)
      for (const message of [...pluralWarnings(plurals, forms, language), ...warnings])
        addWarning(place.path, message)
    }
    return given
  })
  const { errors, warnings } = pages.findings()
  for (const { path, message } of errors) addError(path, message)
  for (const { path, message } of warnings) addWarning(path, message)
  return found
}

/** The state that a text belongs to; undefined for global components. */
const stateAt = ({ states }: ExperimentDefinition, path: string): State | undefined =>
  states[Number(/^\/states\/(\d+)\//.exec(path)?.[1] ?? -1)]

const componentAt = (written: ExperimentDefinition, path: string): Component | undefined =>
  stateAt(written, path)?.components[Number(/^\/states\/\d+\/components\/(\d+)\//.exec(path)?.[1] ?? -1)]

function pluralWarnings(
  plurals: CheckedText['plurals'],
  forms: readonly string[],
  language: string,
): string[] {
  return plurals.flatMap((given) => {
    const missing = forms.filter((form) => !given.includes(form))
    return missing.length === 0
      ? []
      : [`‘${language}’ has more forms for numbers; ‘other’ is used for ${missing.join(', ')}`]
  })
}
