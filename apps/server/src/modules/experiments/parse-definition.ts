import {
  aboutWarnings,
  agentWarnings,
  appearanceWarnings,
  checkComponents,
  checkDefinition,
  codelessWarnings,
  componentTypeOf,
  ExperimentDefinition,
  findUnstorable,
  inLanguage,
  languageFindings,
  languagesOf,
  limits,
  sizeIssues,
  unknownOutcomes,
  untoldParadataWarnings,
  type ValidationIssue,
} from '@atrium/contract'
import { validationFailed } from '../../kernel/app-error.ts'
import { parserFor } from '../../kernel/validate.ts'
import type { CheckedDefinition } from '../../ports/heavy-work.ts'
import { checkFlow } from '../flow/index.ts'

// Runs off the event loop, and authors of large definitions need to know where the errors are.
const form = parserFor(ExperimentDefinition, { explainAnySize: true })

/** Nobody reads more than this at a time. */
const mostIssues = 100

/**
 * Returns a definition, as it was written, that is valid in form and meaning, or throws the paths where it is not. The most expensive
 * checks come last and run only if the others have passed: depth and size (R60), then the form, then references,
 * then the flow.
 */
export function parseDefinition(body: unknown): CheckedDefinition {
  refuseOversized(body)
  const parsed = form.parse(body)
  if (!parsed.ok) throw validationFailed(parsed.issues)
  const written = parsed.value
  const languages = languageFindings(written)
  refuse(languages.filter(({ level }) => level === 'error').map(issueOf))
  const definition = inLanguage(written)
  const components = checkComponents(definition)
  refuse([...checkDefinition(definition), ...components.errors])
  // Those that read the same in every language have just been checked.
  const untranslated = new Set<object>(written.states.flatMap((state) => state.components))
  for (const component of written.globalComponents ?? []) untranslated.add(component)
  for (const language of languagesOf(written).slice(1)) {
    const translated = inLanguage(written, language)
    refuse(checkComponents(translated, untranslated).errors.map((issue) => inThe(language, issue)))
  }
  const flow = checkFlow(definition, ({ type }) => componentTypeOf(type).responds !== 'none', written)
  refuse(flow.errors)
  const warnings = [
    ...languages.map(issueOf),
    ...unknownOutcomes(definition),
    ...codelessWarnings(definition),
    ...agentWarnings(definition),
    ...appearanceWarnings(definition),
    ...aboutWarnings(definition),
    ...untoldParadataWarnings(definition),
    ...components.warnings,
    ...flow.warnings,
  ]
  return { definition: written, warnings: warnings.slice(0, mostIssues) }
}

const issueOf = ({ path, message }: ValidationIssue): ValidationIssue => ({ path, message })

const inThe = (language: string, { path, message }: ValidationIssue): ValidationIssue => ({
  path,
  message: `in ‘${language}’: ${message}`,
})

/** Checks that are cheap for any input, and come before a definition is passed on. */
export function refuseOversized(body: unknown): void {
  const unstorable = findUnstorable(body, limits.jsonDepth)
  if (unstorable) throw validationFailed([unstorable])
  refuse(sizeIssues(body))
}

function refuse(issues: ValidationIssue[]): void {
  if (issues.length > 0) throw validationFailed(issues.slice(0, mostIssues))
}
