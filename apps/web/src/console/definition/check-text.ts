import {
  type DefinitionFinding,
  ExperimentDefinition,
  inLanguage,
  type ValidationIssue,
} from '@atrium/contract'
import { Value } from 'typebox/value'
import { lineAndColumn, type Place, placeOf, readJson } from './json-places.ts'

export interface Finding extends DefinitionFinding {
  place: Place
  line: number
  column: number
}

export type ReadText =
  | { isJson: false; findings: [Finding] }
  | {
      isJson: true
      value: unknown
      /** The definition if its form is right, even if it refers to states that do not exist: enough for an outline. */
      outlined: ExperimentDefinition | undefined
    }

/** Reads what stands in the editor. Whether it is right is for the platform to say, which checks it as it does on saving. */
export function readText(text: string): ReadText {
  const read = readJson(text)
  if (!read.ok) {
    const place = { from: read.at, to: Math.min(read.at + 1, text.length) }
    const where = { path: '', place, ...lineAndColumn(text, read.at) }
    return { isJson: false, findings: [{ level: 'error', message: read.message, ...where }] }
  }
  const { value } = read
  return {
    isJson: true,
    value,
    outlined: Value.Check(ExperimentDefinition, value) ? inLanguage(value) : undefined,
  }
}

/** Finds the places of the platform’s findings in the text that was sent. */
export function locateFindings(text: string, findings: readonly DefinitionFinding[]): Finding[] {
  const read = readJson(text)
  const places = read.ok ? read.places : new Map<string, Place>()
  return findings.map((finding) => {
    const place = placeOf(places, finding.path)
    return { ...finding, place, ...lineAndColumn(text, place.from) }
  })
}

export const asFindings = (
  level: DefinitionFinding['level'],
  issues: readonly ValidationIssue[],
): DefinitionFinding[] => issues.map(({ path, message }) => ({ level, path, message }))

export const formatDefinition = (definition: unknown): string => `${JSON.stringify(definition, null, 2)}\n`
