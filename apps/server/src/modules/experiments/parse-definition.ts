import {
  checkComponents,
  checkDefinition,
  componentTypeOf,
  ExperimentDefinition,
  limits,
  type ValidationIssue,
} from '@atrium/contract'
import { validationFailed } from '../../kernel/app-error.ts'
import { findUnstorable, parserFor } from '../../kernel/validate.ts'
import { checkFlow } from '../flow/index.ts'

const form = parserFor(ExperimentDefinition)

export interface ParsedDefinition {
  definition: ExperimentDefinition
  /** Not wrong, but perhaps not meant: a setting or a component type that nobody knows. */
  warnings: ValidationIssue[]
}

/**
 * A definition that is sound in form and in meaning, or every place where it is not. Meaning is only asked of what has
 * the right form, and the flow only of what refers to nothing unknown.
 */
export function parseDefinition(body: unknown): ParsedDefinition {
  const unstorable = findUnstorable(body, limits.jsonDepth)
  if (unstorable) throw validationFailed([unstorable])
  const parsed = form.parse(body)
  if (!parsed.ok) throw validationFailed(parsed.issues)
  const definition = parsed.value
  const components = checkComponents(definition)
  refuse([...checkDefinition(definition), ...components.errors])
  const flow = checkFlow(definition, ({ type }) => componentTypeOf(type).responds !== 'none')
  refuse(flow.errors)
  return { definition, warnings: [...components.warnings, ...flow.warnings] }
}

function refuse(issues: ValidationIssue[]): void {
  if (issues.length > 0) throw validationFailed(issues)
}
