import { type ExperimentDefinition, groupSizeOf, type ValidationIssue } from '@atrium/contract'
import { roundsOf, unitsOf } from '../path/plan.ts'
import { finding, pointer } from './findings.ts'

/** Each room keeps its plans in memory, and nobody can sit through more steps than this. */
const mostSteps = 100_000

/** A state is in at most one block, and only once; the number of steps is bounded. */
export function checkBlocks(definition: ExperimentDefinition): ValidationIssue[] {
  return [...repeatedMembers(definition), ...tooManySteps(definition)]
}

function repeatedMembers({ blocks = [] }: ExperimentDefinition): ValidationIssue[] {
  const blockOf = new Map<string, { index: number; id: string }>()
  return blocks.flatMap((block, at) =>
    block.states.flatMap((id, index) => {
      const former = blockOf.get(id)
      if (!former) {
        blockOf.set(id, { index: at, id: block.id })
        return []
      }
      const path = pointer('blocks', at, 'states', index)
      return former.index === at
        ? [finding(path, `state ‘${id}’ is already in this block`)]
        : [finding(path, `state ‘${id}’ is already in block ‘${former.id}’`)]
    }),
  )
}

function tooManySteps(definition: ExperimentDefinition): ValidationIssue[] {
  const units = unitsOf(definition)
  const total = units.reduce((sum, unit) => sum + unit.stateIds.length * roundsOf(unit), 0)
  const people = definition.pacing === 'participant' ? groupSizeOf(definition).max : 1
  if (total * people <= mostSteps) return []
  const steps = `the experiment has ${total} steps, including all rounds of its blocks`
  const message =
    people === 1
      ? `${steps}; the limit is ${mostSteps}`
      : `${steps}, for each of up to ${people} people per room; the limit is ${mostSteps} per room`
  return [finding(pointer('blocks'), message)]
}
