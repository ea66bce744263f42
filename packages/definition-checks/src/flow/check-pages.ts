import { type ExperimentDefinition, groupSizeOf, limits } from '@atrium/contract'
import type { ValuesInText } from './check-text.ts'
import { type Findings, finding } from './findings.ts'

/** Parsing and writing so many takes a few milliseconds, for each participant. */
const maxValuesOnPage = 1_000
/** As long as a value can be, so many fill a page (RM131). */
const valuesThatFit = 100
/** Of the pages that one action sends again, to a whole group (RM131). */
const maxCharactersSent = 1_500_000

const mayBeCut =
  'values on this page; if they are longer than 100,000 characters together, … stands for the rest'

/**
 * Counts the values on the pages of a definition: a text alone does not show what its page costs. `definition` is in one
 * language, which tells how long its pages are; values are counted in each.
 */
export function createPageChecks(definition: ExperimentDefinition) {
  const { states, globalComponents = [] } = definition
  /** By language, then by page; '' is what stands on every page. */
  const counts = new Map<string, Map<string, number>>()
  const characters = new Map<string, number>()

  const valuesOn = (page: string): number =>
    Math.max(
      0,
      ...[...counts.values()].map((ofLanguage) => (ofLanguage.get('') ?? 0) + (ofLanguage.get(page) ?? 0)),
    )

  return {
    count(language: string, path: string, values: ValuesInText): void {
      const page = /^\/states\/\d+/.exec(path)?.[0] ?? ''
      const ofLanguage = counts.get(language) ?? new Map<string, number>()
      counts.set(language, ofLanguage.set(page, (ofLanguage.get(page) ?? 0) + values.count))
      characters.set(language, (characters.get(language) ?? 0) + values.characters)
    },

    findings(): Findings {
      const found: Findings = { errors: [], warnings: [] }
      if (counts.size === 0) return found
      const { expressionCharacters } = limits.definition
      if (Math.max(...characters.values()) > expressionCharacters)
        found.errors.push(finding('', `has more than ${expressionCharacters} characters in {{…}}`))
      const people = groupSizeOf(definition).max
      const globalCharacters = JSON.stringify(globalComponents).length
      states.forEach((state, at) => {
        const path = `/states/${at}`
        const values = valuesOn(path)
        if (values === 0) return
        if (values > maxValuesOnPage)
          found.errors.push(finding(path, `shows more than ${maxValuesOnPage} values in {{…}}`))
        else if (values > valuesThatFit) found.warnings.push(finding(path, `${values} ${mayBeCut}`))
        if (people * (globalCharacters + JSON.stringify(state).length) > maxCharactersSent)
          found.warnings.push(
            finding(
              path,
              `is so long that ${people} people cannot be sent changed values at once; some see them later`,
            ),
          )
      })
      return found
    },
  }
}
