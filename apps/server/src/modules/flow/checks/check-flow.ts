import type { ExperimentDefinition, ValidationIssue } from '@atrium/contract'
import { checkBlocks } from './check-blocks.ts'
import { checkEndings, type TakesResponse } from './check-endings.ts'
import { checkExpressions } from './check-expressions.ts'
import { checkPaths } from './check-paths.ts'
import { checkRest } from './check-rest.ts'
import { checkVariables } from './check-variables.ts'
import { declaredNamesOf } from './definition-names.ts'
import { type Findings, finding, pointer } from './findings.ts'

/**
 * What can go wrong when the definition is played, found when it is saved. Comes after the contract's own check, which
 * knows duplicate ids and references to states and roles that do not exist.
 */
export function checkFlow(definition: ExperimentDefinition, takesResponse: TakesResponse): Findings {
  const declared = declaredNamesOf(definition)
  const blocks = checkBlocks(definition)
  const paths = checkPaths(definition)
  const endings = checkEndings(definition, takesResponse)
  const expressions = checkExpressions(definition, declared)
  const errors = [
    ...blocks,
    ...paths.errors,
    ...endings.errors,
    ...repeatedConditions(definition),
    ...checkVariables(definition, declared),
    ...expressions.errors,
  ]
  return {
    // A walk through the plan needs one that is countable, and ways back that are bounded.
    errors: errors.length > 0 ? errors : checkRest(definition),
    warnings: [...paths.warnings, ...endings.warnings, ...expressions.warnings],
  }
}

function repeatedConditions({ conditions }: ExperimentDefinition): ValidationIssue[] {
  const seen = new Set<string>()
  return (conditions?.values ?? []).flatMap((value, index) => {
    if (seen.has(value))
      return [
        finding(pointer('conditions', 'values', index), `there is a condition called ‘${value}’ already`),
      ]
    seen.add(value)
    return []
  })
}
