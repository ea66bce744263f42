import type { ExperimentDefinition } from '@atrium/contract'
import { checkBlocks } from './check-blocks.ts'
import { checkConditions } from './check-conditions.ts'
import { checkEndings, type TakesResponse } from './check-endings.ts'
import { checkExpressions } from './check-expressions.ts'
import { checkInstantLoops } from './check-instant-loops.ts'
import { checkParts, type Moment } from './check-parts.ts'
import { checkPaths } from './check-paths.ts'
import { checkRotation } from './check-rotation.ts'
import { checkShuffles } from './check-shuffles.ts'
import { strataWarnings } from './check-strata.ts'
import { checkTexts } from './check-texts.ts'
import { checkTimeLimits } from './check-time-limits.ts'
import { checkTrials } from './check-trials.ts'
import { checkUnfilled } from './check-unfilled.ts'
import { checkVariables } from './check-variables.ts'
import { declaredNamesOf } from './definition-names.ts'
import type { Findings } from './findings.ts'
import { checkForEach } from './for-each.ts'

/**
 * Finds problems when a definition is saved that would otherwise appear in its rooms. Runs after the contract's own check,
 * which finds duplicate ids and references to unknown states and roles. `written` still has its texts in all languages.
 */
export function checkFlow(
  definition: ExperimentDefinition,
  takesResponse: TakesResponse,
  { written = definition, moment = 'first' }: { written?: ExperimentDefinition; moment?: Moment } = {},
): Findings {
  const declared = declaredNamesOf(definition)
  const blocks = checkBlocks(definition)
  const paths = checkPaths(definition)
  const endings = checkEndings(definition, takesResponse)
  const expressions = checkExpressions(definition, declared)
  const texts = checkTexts(written, declared)
  const unfilled = checkUnfilled(written)
  const trials = checkTrials(definition, declared)
  const forEach = checkForEach(definition)
  const parts = checkParts(definition, declared, moment)
  const errors = [
    ...blocks,
    ...paths.errors,
    ...endings.errors,
    ...checkConditions(definition, declared),
    ...parts.errors,
    ...forEach.errors,
    ...checkRotation(definition),
    ...checkShuffles(definition, declared),
    ...checkTimeLimits(definition),
    ...checkVariables(definition, declared),
    ...expressions.errors,
    ...texts.errors,
    ...unfilled.errors,
    ...trials.errors,
  ]
  return {
    // Walking the plan is safe only if the number of steps and the loops are bounded.
    errors: errors.length > 0 ? errors : checkInstantLoops(definition),
    warnings: [
      ...paths.warnings,
      ...strataWarnings(definition, declared),
      ...parts.warnings,
      ...endings.warnings,
      ...expressions.warnings,
      ...texts.warnings,
      ...unfilled.warnings,
      ...trials.warnings,
      ...forEach.warnings,
    ],
  }
}
