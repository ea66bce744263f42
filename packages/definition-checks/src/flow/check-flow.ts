import { type ExperimentDefinition, groupSizeOf, type ValidationIssue } from '@atrium/contract'
import { roundsOf, trialRowsOf, trialsOf, unitsOf } from '@atrium/flow'
import { checkConditions } from './check-conditions.ts'
import { checkEndings, type TakesResponse } from './check-endings.ts'
import { checkExpressions } from './check-expressions.ts'
import { checkInstantLoops } from './check-instant-loops.ts'
import { checkPaths } from './check-paths.ts'
import { checkTexts } from './check-texts.ts'
import { checkTrials } from './check-trials.ts'
import { checkUnfilled } from './check-unfilled.ts'
import { checkVariables } from './check-variables.ts'
import { declaredNamesOf } from './definition-names.ts'
import { type Findings, finding, pointer } from './findings.ts'

/**
 * Finds problems when a definition is saved that would otherwise appear in its rooms. Runs after the contract's own check,
 * which finds duplicate ids and references to unknown states and roles. `written` still has its texts in all languages.
 */
export function checkFlow(
  definition: ExperimentDefinition,
  takesResponse: TakesResponse,
  written = definition,
): Findings {
  const declared = declaredNamesOf(definition)
  const blocks = checkBlocks(definition)
  const paths = checkPaths(definition)
  const endings = checkEndings(definition, takesResponse)
  const expressions = checkExpressions(definition, declared)
  const texts = checkTexts(written, declared)
  const unfilled = checkUnfilled(written)
  const trials = checkTrials(definition, declared)
  const errors = [
    ...blocks,
    ...paths.errors,
    ...endings.errors,
    ...checkConditions(definition, declared),
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
      ...endings.warnings,
      ...expressions.warnings,
      ...texts.warnings,
      ...unfilled.warnings,
      ...trials.warnings,
    ],
  }
}

/** Each room keeps its plans in memory, and no real study has more steps. */
const maxSteps = 100_000

/** A state is in at most one block, once; the number of steps is limited. */
function checkBlocks(definition: ExperimentDefinition): ValidationIssue[] {
  return [...repeatedMembers(definition), ...tooManySteps(definition)]
}

function repeatedMembers({ blocks = [] }: ExperimentDefinition): ValidationIssue[] {
  const blockOf = new Map<string, { index: number; id: string }>()
  return blocks.flatMap((block, at) =>
    block.states.flatMap((id, index) => {
      const previous = blockOf.get(id)
      if (!previous) {
        blockOf.set(id, { index: at, id: block.id })
        return []
      }
      const path = pointer('blocks', at, 'states', index)
      return previous.index === at
        ? [finding(path, `state ‘${id}’ is already in this block`)]
        : [finding(path, `state ‘${id}’ is already in block ‘${previous.id}’`)]
    }),
  )
}

function tooManySteps(definition: ExperimentDefinition): ValidationIssue[] {
  const units = unitsOf(definition)
  const rows = trialRowsOf(definition)
  const total = units.reduce(
    (sum, unit) => sum + unit.stateIds.length * roundsOf(unit) * trialsOf(unit, rows),
    0,
  )
  const people = definition.pacing === 'participant' ? groupSizeOf(definition).max : 1
  if (total * people <= maxSteps) return []
  const steps = `the experiment has ${total} steps, including all rounds and trials of its blocks`
  const message =
    people === 1
      ? `${steps}; the limit is ${maxSteps}`
      : `${steps}, for each of up to ${people} people per room; the limit is ${maxSteps} per room`
  return [finding(pointer('blocks'), message)]
}
