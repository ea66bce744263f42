import { type ExperimentDefinition, groupSizeOf, type ValidationIssue } from '@atrium/contract'
import { roundsOf, unitsOf } from '@atrium/flow'
import { finding, pointer } from './findings.ts'

/** Each room keeps its plans in memory, and no real study has more steps. */
const maxSteps = 100_000

/** A state is in at most one block, once; the number of steps is limited. */
export function checkBlocks(definition: ExperimentDefinition): ValidationIssue[] {
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
  const total = units.reduce((sum, unit) => sum + unit.stateIds.length * roundsOf(unit), 0)
  const people = definition.pacing === 'participant' ? groupSizeOf(definition).max : 1
  if (total * people <= maxSteps) return []
  const steps = `the experiment has ${total} steps, including all rounds of its blocks`
  const message =
    people === 1
      ? `${steps}; the limit is ${maxSteps}`
      : `${steps}, for each of up to ${people} people per room; the limit is ${maxSteps} per room`
  return [finding(pointer('blocks'), message)]
}
