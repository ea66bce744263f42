import { type ExperimentDefinition, groupSizeOf, maxBlockDepth, type ValidationIssue } from '@atrium/contract'
import { blockUnitsIn, pacingOf, stepsPlayed, trialRowsOf, type Unit, unitsOf } from '@atrium/flow'
import { finding, pointer } from './findings.ts'

type Block = NonNullable<ExperimentDefinition['blocks']>[number]

/** Each room keeps its plans in memory, and no real study has more steps. */
const maxSteps = 100_000

/** A state or block is in at most one block, once; samples can be drawn; the number of steps is limited. */
export function checkBlocks(definition: ExperimentDefinition): ValidationIssue[] {
  return [
    ...repeatedMembers(definition),
    ...impossibleNesting(definition),
    ...impossibleSamples(definition),
    ...needlessPers(definition),
    ...waysIntoSamples(definition),
    ...needlessStops(definition),
    ...tooManySteps(definition),
  ]
}

function repeatedMembers({ blocks = [], states }: ExperimentDefinition): ValidationIssue[] {
  const isState = new Set(states.map(({ id }) => id))
  const blockOf = new Map<string, { index: number; id: string }>()
  return blocks.flatMap((block, at) =>
    block.states.flatMap((id, index) => {
      const previous = blockOf.get(id)
      if (!previous) {
        blockOf.set(id, { index: at, id: block.id })
        return []
      }
      const path = pointer('blocks', at, 'states', index)
      const member = `${isState.has(id) ? 'state' : 'block'} ‘${id}’`
      return previous.index === at
        ? [finding(path, `${member} is already in this block`)]
        : [
            finding(
              path,
              `${member} is already in block ‘${previous.id}’; to put that whole block into this one, write ‘${previous.id}’ here`,
            ),
          ]
    }),
  )
}

/** F183: blocks can be in blocks, but not in themselves, and not too deep. */
function impossibleNesting({ blocks = [], states }: ExperimentDefinition): ValidationIssue[] {
  const isState = new Set(states.map(({ id }) => id))
  const byId = new Map(blocks.map((block) => [block.id, block]))
  const around = new Map<string, string>()
  for (const { id, states: members } of blocks)
    for (const member of members)
      if (!isState.has(member) && byId.has(member) && !around.has(member)) around.set(member, id)
  return blocks.flatMap((block, at) => {
    const path = pointer('blocks', at)
    const outside: string[] = []
    for (let id = around.get(block.id); id !== undefined && !outside.includes(id); id = around.get(id))
      outside.push(id)
    if (outside.includes(block.id))
      return [
        finding(
          `${path}/states`,
          `block ‘${block.id}’ would be within itself; take it out of ‘${outside[0]}’`,
        ),
      ]
    const hasBlocks = block.states.some((id) => !isState.has(id) && byId.has(id))
    return [
      ...(outside.length >= maxBlockDepth
        ? [
            finding(
              path,
              `block ‘${block.id}’ is within ${outside.length} others; blocks can be ${maxBlockDepth} deep`,
            ),
          ]
        : []),
      ...(hasBlocks && block.trials
        ? [
            finding(
              `${path}/trials`,
              `a block with blocks in it has no trials of its own; give them to the blocks in ‘${block.id}’`,
            ),
          ]
        : []),
    ]
  })
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
function waysIntoSamples(definition: ExperimentDefinition): ValidationIssue[] {
  /** By state: each drawing that decides whether it is played, and the member of the block that it is drawn with. */
  const drawings = new Map<string, { block: Block; member: Unit }[]>()
  for (const { block, members } of blockUnitsIn(unitsOf(definition)))
    if (block?.sample !== undefined && block.sample < members.length)
      for (const member of members)
        for (const id of member.stateIds) drawings.set(id, [...(drawings.get(id) ?? []), { block, member }])
  const issueFor = (from: string, to: string | undefined, path: string): ValidationIssue[] => {
    const drawn =
      to === undefined
        ? undefined
        : drawings.get(to)?.find(({ member }) => !member.stateIds.includes(from))?.block
    return drawn
      ? [
          finding(
            path,
            `‘${to}’ may not be drawn: block ‘${drawn.id}’ plays only ${drawn.sample} of its ${drawn.states.length} states; lead to a state that is always played`,
          ),
        ]
      : []
  }
  return definition.states.flatMap(({ id, next = [], end }, at) => [
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
  const total = units.reduce((sum, unit) => sum + stepsPlayed(unit, rows), 0)
  const people = definition.pacing === 'participant' ? groupSizeOf(definition).max : 1
  if (total * people <= maxSteps) return []
  const steps = `the experiment has ${total} steps, including all rounds and trials of its blocks`
  const message =
    people === 1
      ? `${steps}; the limit is ${maxSteps}`
      : `${steps}, for each of up to ${people} people per room; the limit is ${maxSteps} per room`
  return [finding(pointer('blocks'), message)]
}
