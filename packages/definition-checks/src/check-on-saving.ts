import {
  ExperimentDefinition,
  findUnstorable,
  inLanguage,
  languagesOf,
  limits,
  parserFor,
  studyOf,
  type TrialRow,
  unknownOutcomes,
  type ValidationIssue,
  type WrittenDefinition,
  withRows,
} from '@atrium/contract'
import { componentTypeOf } from '@atrium/contract/components'
import { checkByStage } from './by-stage.ts'
import { checkComponents } from './components/check-components.ts'
import { agentWarnings } from './definition/agent-warnings.ts'
import { sizeIssues } from './definition/bounds.ts'
import { appearanceWarnings } from './definition/check-appearance.ts'
import { checkDefinition } from './definition/check-definition.ts'
import { paymentWarnings } from './definition/check-payment.ts'
import { checkStages } from './definition/check-stages.ts'
import { languageFindings } from './definition/language-findings.ts'
import { aboutWarnings, codelessWarnings, untoldParadataWarnings } from './definition/study-warnings.ts'
import { checkFlow } from './flow/check-flow.ts'
import type { Moment } from './flow/check-parts.ts'

export type RowsByTableId = ReadonlyMap<string, TrialRow[]>

/** Nobody reads more than this at a time. */
const maxIssues = 100

// Authors of large definitions need to know where the errors are.
const form = parserFor(ExperimentDefinition, { explainAnySize: true })

export type SavingCheck =
  /** The definition as it was written. */
  { definition: WrittenDefinition; warnings: ValidationIssue[] } | { issues: ValidationIssue[] }

/**
 * Everything that is checked when a definition is saved: it is valid in form and meaning, or there are issues with the
 * paths where it is not. The most expensive checks come last and run only if the others have passed: depth and size
 * (R60), then the form, then references, then the flow. Too slow for an event loop where definitions are large.
 * `rowsByTableId` are the rows of the uploaded tables that its author may use.
 */
export function checkOnSaving(body: unknown, rowsByTableId: RowsByTableId = new Map()): SavingCheck {
  const oversized = oversizeIssues(body)
  if (oversized.length > 0) return { issues: oversized }
  const parsed = parseForm(body)
  if (!parsed.ok) return { issues: parsed.issues }
  const written = parsed.value
  const ofStages = checkStages(written)
  if (ofStages.length > 0) return { issues: first(ofStages) }
  const checkOne = (stage: ExperimentDefinition, moment: Moment = 'first') =>
    checkStage(stage, rowsByTableId, moment)
  const { stages } = written
  const found = stages ? checkByStage({ ...written, stages }, checkOne) : checkOne(studyOf(written))
  return 'issues' in found
    ? { issues: first(found.issues) }
    : { definition: written, warnings: first(found.warnings) }
}

function checkStage(
  written: ExperimentDefinition,
  rowsByTableId: RowsByTableId,
  moment: Moment,
): { warnings: ValidationIssue[] } | { issues: ValidationIssue[] } {
  const languages = languageFindings(written)
  const untranslated = languages.filter(({ level }) => level === 'error')
  if (untranslated.length > 0) return { issues: untranslated.map(issueOf) }
  const definition = withRows(inLanguage(written), rowsByTableId)
  const components = checkComponents(definition)
  const issues = [...checkDefinition(definition), ...components.errors]
  if (issues.length > 0) return { issues }
  const inLanguages = translationIssues(written)
  if (inLanguages.length > 0) return { issues: inLanguages }
  const flow = checkFlow(definition, ({ type }) => componentTypeOf(type).responds !== 'none', {
    written,
    moment,
  })
  if (flow.errors.length > 0) return { issues: flow.errors }
  const warnings = [
    ...languages.map(issueOf),
    ...unknownOutcomes(definition),
    ...codelessWarnings(definition),
    ...agentWarnings(definition),
    ...appearanceWarnings(definition),
    ...aboutWarnings(definition),
    ...untoldParadataWarnings(definition),
    ...paymentWarnings(definition),
    ...components.warnings,
    ...flow.warnings,
  ]
  return { warnings }
}

/** Whether it has the form of a definition, of whatever size. */
export const parseForm = (body: unknown) => form.parse(body)

/** What is cheap to find in any input, however large, and comes before everything else. */
export function oversizeIssues(body: unknown): ValidationIssue[] {
  const unstorable = findUnstorable(body, limits.jsonDepth)
  return unstorable ? [unstorable] : first(sizeIssues(body))
}

/** Of the components in every language but the first: those that read the same in all of them were checked there. */
function translationIssues(written: ExperimentDefinition): ValidationIssue[] {
  const same = new Set<object>(written.states.flatMap((state) => state.components))
  for (const component of written.globalComponents ?? []) same.add(component)
  for (const language of languagesOf(written).slice(1)) {
    const { errors } = checkComponents(inLanguage(written, language), same)
    if (errors.length > 0)
      return errors.map(({ path, message }) => ({ path, message: `in ‘${language}’: ${message}` }))
  }
  return []
}

const first = (issues: ValidationIssue[]) => issues.slice(0, maxIssues)
const issueOf = ({ path, message }: ValidationIssue): ValidationIssue => ({ path, message })
