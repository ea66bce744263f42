import { type ExperimentDefinition, groupSizeOf, type ValidationIssue } from '@atrium/contract'
import { pacingOf, roundsOf, statesPlayed, trialRowsOf, trialsOf, unitsOf } from '@atrium/flow'
import { finding, pointer } from './findings.ts'

/** Each room keeps its plans in memory, and no real study has more steps. */
const maxSteps = 100_000

/** A state is in at most one block, once; samples can be drawn; the number of steps is limited. */
export function checkBlocks(definition: ExperimentDefinition): ValidationIssue[] {
  return [
    ...repeatedMembers(definition),
    ...impossibleSamples(definition),
    ...needlessPers(definition),
    ...waysIntoSamples(definition),
    ...needlessStops(definition),
    ...tooManySteps(definition),
  ]
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

function impossibleSamples({ blocks = [] }: ExperimentDefinition): ValidationIssue[] {
  return blocks.flatMap(({ id, states, sample = 0 }, at) =>
    sample > states.length
      ? [
          finding(
            pointer('blocks', at, 'sample'),
            `cannot draw ${sample} states: block ‘${id}’ has ${states.length}; draw fewer, or leave ‘sample’ out`,
          ),
        ]
      : [],
  )
}

/** F89 */
function needlessPers(definition: ExperimentDefinition): ValidationIssue[] {
  return (definition.blocks ?? []).flatMap(({ id, per, when }, at) => {
    if (per === undefined) return []
    const path = pointer('blocks', at, 'per')
    if (when === undefined)
      return [finding(path, `says whom ‘when’ is asked of, but block ‘${id}’ has none; it is always played`)]
    return pacingOf(definition) === 'room'
      ? []
      : [
          finding(
            path,
            'is only for groups that move through the study together; elsewhere, each participant skips a block by themselves',
          ),
        ]
  })
}

/** F111: a transition must lead somewhere, whatever is drawn. */
function waysIntoSamples({ states, blocks = [] }: ExperimentDefinition): ValidationIssue[] {
  const sampled = new Map(
    blocks.flatMap((block) =>
      block.sample !== undefined && block.sample < block.states.length
        ? block.states.map((id) => [id, block] as const)
        : [],
    ),
  )
  const issueFor = (from: string, to: string | undefined, path: string): ValidationIssue[] => {
    const block = to === undefined || to === from ? undefined : sampled.get(to)
    return block
      ? [
          finding(
            path,
            `‘${to}’ may not be drawn: block ‘${block.id}’ plays only ${block.sample} of its ${block.states.length} states; lead to a state that is always played`,
          ),
        ]
      : []
  }
  return states.flatMap(({ id, next = [], end }, at) => [
    ...next.flatMap(({ to }, index) => issueFor(id, to, pointer('states', at, 'next', index, 'to'))),
    ...issueFor(id, end?.onTimeout?.to, pointer('states', at, 'end', 'onTimeout', 'to')),
  ])
}

/** F113 */
function needlessStops({ blocks = [] }: ExperimentDefinition): ValidationIssue[] {
  return blocks.flatMap(({ id, until, rounds = 1 }, at) =>
    until !== undefined && rounds === 1
      ? [
          finding(
            pointer('blocks', at, 'until'),
            `block ‘${id}’ has a single round, so there is nothing to stop; set ‘rounds’ to the largest number of rounds that may be played`,
          ),
        ]
      : [],
  )
}

function tooManySteps(definition: ExperimentDefinition): ValidationIssue[] {
  const units = unitsOf(definition)
  const rows = trialRowsOf(definition)
  const total = units.reduce(
    (sum, unit) => sum + statesPlayed(unit) * roundsOf(unit) * trialsOf(unit, rows),
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
