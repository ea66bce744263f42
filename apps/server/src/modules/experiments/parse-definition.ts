import {
  checkComponents,
  checkDefinition,
  componentTypeOf,
  ExperimentDefinition,
  limits,
  sizeIssues,
  unknownOutcomes,
  type ValidationIssue,
} from '@atrium/contract'
import { validationFailed } from '../../kernel/app-error.ts'
import { findUnstorable, parserFor } from '../../kernel/validate.ts'
import type { CheckedDefinition } from '../../ports/heavy-work.ts'
import { checkFlow } from '../flow/index.ts'

// Checked beside the event loop, and whoever writes a large one must know where it is wrong.
const form = parserFor(ExperimentDefinition, { whereverItIs: true })

/** Nobody reads more than this at a time. */
const mostIssues = 100

/**
 * A definition that is sound in form and in meaning, or the places where it is not. What is asked last costs most, so it is
 * asked only of what has passed the rest: depth and size (R60), then the form, then what it refers to, then the flow.
 */
export function parseDefinition(body: unknown): CheckedDefinition {
  refuseOversized(body)
  const parsed = form.parse(body)
  if (!parsed.ok) throw validationFailed(parsed.issues)
  const definition = parsed.value
  const components = checkComponents(definition)
  refuse([...checkDefinition(definition), ...components.errors])
  const flow = checkFlow(definition, ({ type }) => componentTypeOf(type).responds !== 'none')
  refuse(flow.errors)
  const warnings = [...unknownOutcomes(definition), ...components.warnings, ...flow.warnings]
  return { definition, warnings: warnings.slice(0, mostIssues) }
}

/** Cheap, whatever it is asked of: what must be known before a definition is even handed on. */
export function refuseOversized(body: unknown): void {
  const unstorable = findUnstorable(body, limits.jsonDepth)
  if (unstorable) throw validationFailed([unstorable])
  refuse(sizeIssues(body))
}

function refuse(issues: ValidationIssue[]): void {
  if (issues.length > 0) throw validationFailed(issues.slice(0, mostIssues))
}
