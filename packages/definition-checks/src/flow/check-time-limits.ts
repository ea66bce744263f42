import { type ExperimentDefinition, endOfExperiment, type ValidationIssue } from '@atrium/contract'
import { blockUnitsIn, type Unit, unitsOf } from '@atrium/flow'
import { finding, pointer } from './findings.ts'

type TimeLimit = NonNullable<ExperimentDefinition['timeLimit']>

/** F88: a time limit leads to a state that is always ahead, or to the end. */
export function checkTimeLimits(definition: ExperimentDefinition): ValidationIssue[] {
  const { blocks = [], timeLimit } = definition
  const units = unitsOf(definition)
  return [
    ...(timeLimit ? issuesOf(timeLimit, pointer('timeLimit'), units) : []),
    ...blocks.flatMap((block, at) => {
      if (!block.timeLimit) return []
      const path = pointer('blocks', at, 'timeLimit')
      const own = units.findIndex((unit) => blockUnitsIn([unit]).some((one) => one.block === block))
      const followers = units.slice(own + 1)
      return issuesOf(block.timeLimit, path, units, followers)
    }),
  ]
}

function issuesOf(
  { onTimeout }: TimeLimit,
  path: string,
  units: readonly Unit[],
  followers: readonly Unit[] = units.slice(1),
): ValidationIssue[] {
  if (!onTimeout) return []
  const { to, outcome } = onTimeout
  if (to === undefined && outcome === undefined)
    return [finding(`${path}/onTimeout`, 'needs ‘to’, ‘outcome’ or both')]
  if (to === undefined || to === endOfExperiment) return []
  if (outcome !== undefined)
    return [
      finding(
        `${path}/onTimeout/outcome`,
        `only a time limit that leads to ‘${endOfExperiment}’ can have an outcome; this one leads to ‘${to}’`,
      ),
    ]
  const at = `${path}/onTimeout/to`
  const target = units.find(({ stateIds }) => stateIds.includes(to))
  if (!target) return [finding(at, `state ‘${to}’ does not exist`)]
  if (target.block)
    return [
      finding(
        at,
        `‘${to}’ is in block ‘${target.block.id}’; a time limit can lead only to a state outside of blocks, or to the end`,
      ),
    ]
  return followers.includes(target)
    ? []
    : [finding(at, `a time limit must lead to a later state, but ‘${to}’ comes before it applies`)]
}
