import { assertNever, type ExperimentDefinition, endOfExperiment, groupSizeOf } from '@atrium/contract'
import type { Rows } from './assignment.ts'
import type { RoundOfBlock } from './blocks-around.ts'
import { type Block, blockUnitsIn, nestingOf, stateUnit, type Unit } from './nesting.ts'
import { latinSquareRow, random, shuffled, shuffledBy } from './random.ts'
import { createTrialDraw, hasTrials, type Trial, type TrialRows, trialRowsOf, trialsOf } from './trials.ts'

/** One step of the default path. */
export interface Step {
  stateId: string
  /** The innermost. */
  blockId: string | null
  /** Of the innermost block, counted from 1; null outside blocks. */
  round: number | null
  rounds: number | null
  /** F183: the blocks that the innermost is in, from the outermost; absent where it is in none. */
  within?: readonly RoundOfBlock[]
  /** F75: absent outside trials. */
  trial?: Trial
}

export const roundsOf = ({ block }: Unit): number => block?.rounds ?? 1

/** Whether everyone in a room moves together or each alone; together when absent, unless nobody else is in the room. */
export function pacingOf(definition: ExperimentDefinition): 'room' | 'participant' {
  const { pacing, agents = [] } = definition
  const isGroup = groupSizeOf(definition).max > 1 || agents.some(({ seats = 0 }) => seats > 0)
  return pacing ?? (isGroup ? 'room' : 'participant')
}

/** The order of the default path: states as listed, a block at the position of the first of its states, blocks in blocks. */
export function unitsOf({ states, blocks = [] }: ExperimentDefinition): Unit[] {
  const { outermostOf, unitOf } = nestingOf(new Set(states.map((state) => state.id)), blocks)
  const placed = new Set<Block>()
  return states.flatMap(({ id }): Unit[] => {
    const block = outermostOf(id)
    if (!block) return [stateUnit(id)]
    if (placed.has(block)) return []
    placed.add(block)
    return [unitOf(block)]
  })
}

/**
 * The default path of a room or participant. `rows` are those that were assigned of each Latin square; rooms that began before
 * these were assigned take the row of their ordinal. Whoever plans many paths gives the rows of the trials, which take long to find.
 */
export function planSteps(
  definition: ExperimentDefinition,
  seed: string,
  ordinal: number,
  rows?: Rows,
  trialRows: TrialRows = trialRowsOf(definition),
): Step[] {
  const drawing = { seed, ordinal, ...(rows && { rows }) }
  const drawTrials = createTrialDraw(trialRows, drawing)
  const units = unitsOf(definition)
  // Whichever order blocks are played in, they draw in the order in which they are listed.
  const draws = new Map(
    blockUnitsIn(units).flatMap(({ block, members }) =>
      block === null
        ? []
        : [
            [
              block,
              {
                order: orderOf(block, members, drawing),
                rows: hasTrials(block) ? drawTrials(block) : () => [null],
              },
            ] as const,
          ],
    ),
  )

  function stepsOf(unit: Unit, within: readonly RoundOfBlock[]): Step[] {
    const { block } = unit
    const drawn = block && draws.get(block)
    if (!drawn) return unit.stateIds.map((stateId) => stepIn(stateId, within))
    const rounds = roundsOf(unit)
    return Array.from({ length: rounds }, (_, index) => {
      const here = [...within, { blockId: block.id, round: index + 1, rounds }]
      return drawn.rows().flatMap((row, at) =>
        drawn.order().flatMap((member) => {
          const steps = stepsOf(member, here)
          const trial = row !== null && member.block === null && { trial: { index: at + 1, row } }
          return trial ? steps.map((step) => ({ ...step, ...trial })) : steps
        }),
      )
    }).flat()
  }

  return units.flatMap((unit) => stepsOf(unit, []))
}

function stepIn(stateId: string, blocks: readonly RoundOfBlock[]): Step {
  const innermost = blocks.at(-1) ?? { blockId: null, round: null, rounds: null }
  return { stateId, ...innermost, ...(blocks.length > 1 && { within: blocks.slice(0, -1) }) }
}

/** F183: the steps of the unit at most, in all rounds and trials, and with the longest of what may be drawn. */
export function stepsPlayed(unit: Unit, rows: TrialRows): number {
  const { block, members, stateIds } = unit
  if (!block) return stateIds.length
  const longest = members.map((member) => stepsPlayed(member, rows)).toSorted((one, other) => other - one)
  const inRound = longest.slice(0, block.sample).reduce((sum, steps) => sum + steps, 0)
  return inRound * roundsOf(unit) * trialsOf(unit, rows)
}

/** Returns a function that gives the order of the next round. */
function orderOf(
  block: Block,
  members: readonly Unit[],
  drawing: { seed: string; ordinal: number; rows?: Rows },
): () => readonly Unit[] {
  const { order = 'fixed', sample } = block
  const { seed, ordinal, rows } = drawing
  switch (order) {
    case 'fixed': {
      const drawn = drawnMembers(block, members, drawing)
      return () => drawn
    }
    case 'random': {
      const drawn = drawnMembers(block, members, drawing)
      const next = random(`${seed}/block/${block.id}/${ordinal}`)
      return () => shuffledBy(drawn, next)
    }
    case 'latin_square': {
      const assigned = rows && (Object.hasOwn(rows, block.id) ? rows[block.id] : 0)
      const row = latinSquareRow(members.length, assigned ?? ordinal)
      const order = row.flatMap((index) => members[index] ?? []).slice(0, sample)
      return () => order
    }
    default:
      return assertNever(order)
  }
}

/** F111: as listed, whichever are drawn. */
function drawnMembers(
  { id, sample }: Block,
  members: readonly Unit[],
  { seed, ordinal }: { seed: string; ordinal: number },
): readonly Unit[] {
  if (sample === undefined) return members
  const drawn = new Set(shuffled(members, `${seed}/sample/${id}/${ordinal}`).slice(0, sample))
  return members.filter((member) => drawn.has(member))
}

/**
 * Where a transition leads: without a target, to the following step; with one, to its nearest later position on the path,
 * or, if there is none, to the nearest earlier one (or this one). Beyond the last step is the end.
 */
export function nextPosition(steps: readonly Step[], position: number, target: string | null): number {
  if (target === endOfExperiment) return steps.length
  const following = Math.min(position + 1, steps.length)
  if (target === null) return following
  for (let ahead = following; ahead < steps.length; ahead += 1)
    if (steps[ahead]?.stateId === target) return ahead
  for (let behind = following - 1; behind >= 0; behind -= 1)
    if (steps[behind]?.stateId === target) return behind
  // A state that is not on the path at all is refused when the definition is saved.
  return following
}
