import {
  agentWarnings,
  checkComponents,
  checkDefinition,
  ExperimentDefinition,
  formIssues,
  inLanguage,
  languageFindings,
  unknownOutcomes,
  type ValidationIssue,
} from '@atrium/contract'
import { Value } from 'typebox/value'
import { lineAndColumn, type Place, placeOf, readJson } from './json-places.ts'

export interface Finding {
  level: 'error' | 'warning'
  /** JSON pointer; empty for the whole definition. */
  path: string
  message: string
  place: Place
  line: number
  column: number
}

export interface CheckedText {
  findings: Finding[]
  /** Undefined if there are errors; warnings do not matter. */
  definition: ExperimentDefinition | undefined
  /** The definition if its form is right, even if it refers to states that do not exist: enough for an outline. */
  outlined: ExperimentDefinition | undefined
}

/** Checks a definition in the editor. The platform checks the same on saving, and also the flow. */
export function checkText(text: string): CheckedText {
  const read = readJson(text)
  if (!read.ok) {
    const place = { from: read.at, to: Math.min(read.at + 1, text.length) }
    return unsound([
      { level: 'error', path: '', message: read.message, place, ...lineAndColumn(text, read.at) },
    ])
  }
  const { value, places } = read
  const findings = (level: Finding['level'], issues: ValidationIssue[]): Finding[] =>
    issues.map(({ path, message }) => {
      const place = placeOf(places, path)
      return { level, path, message, place, ...lineAndColumn(text, place.from) }
    })
  if (!Value.Check(ExperimentDefinition, value))
    return unsound(findings('error', formIssues(ExperimentDefinition, value)))
  const languages = languageFindings(value)
  const inLevel = (wanted: Finding['level']) => languages.filter(({ level }) => level === wanted)
  const plain = inLanguage(value)
  const components = checkComponents(plain)
  const errors = findings('error', [...inLevel('error'), ...checkDefinition(plain), ...components.errors])
  return {
    findings: [
      ...errors,
      ...findings('warning', [
        ...inLevel('warning'),
        ...unknownOutcomes(plain),
        ...agentWarnings(plain),
        ...components.warnings,
      ]),
    ],
    definition: errors.length === 0 ? value : undefined,
    outlined: plain,
  }
}

const unsound = (findings: Finding[]): CheckedText => ({
  findings,
  definition: undefined,
  outlined: undefined,
})

/** Finds the places of the platform’s findings in the text that was sent. */
export function locateIssues(text: string, issues: ValidationIssue[], level: Finding['level']): Finding[] {
  const read = readJson(text)
  const places = read.ok ? read.places : new Map<string, Place>()
  return issues.map(({ path, message }) => {
    const place = placeOf(places, path)
    return { level, path, message, place, ...lineAndColumn(text, place.from) }
  })
}

export const formatDefinition = (definition: unknown): string => `${JSON.stringify(definition, null, 2)}\n`
