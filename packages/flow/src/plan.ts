import { assertNever, type ExperimentDefinition, endOfExperiment, groupSizeOf } from '@atrium/contract'
import type { Rows } from './assignment.ts'
import { latinSquareRow, random, shuffled, shuffledBy } from './random.ts'
import { createTrialDraw, hasTrials, type Trial, type TrialRows, trialRowsOf } from './trials.ts'

/** One step of the default path. */
export interface Step {
  stateId: string
  blockId: string | null
  /** Counted from 1; null outside blocks. */
  round: number | null
  rounds: number | null
  /** F75: absent outside trials. */
  trial?: Trial
}

type Block = NonNullable<ExperimentDefinition['blocks']>[number]

/** A state by itself, or a block whose states are played together. */
export interface Unit {
  block: Block | null
  stateIds: readonly string[]
}

export const roundsOf = ({ block }: Unit): number => block?.rounds ?? 1

/** Whether everyone in a room moves together or each alone; together when absent, unless nobody else is in the room. */
export function pacingOf(definition: ExperimentDefinition): 'room' | 'participant' {
  const { pacing, agents = [] } = definition
  const isGroup = groupSizeOf(definition).max > 1 || agents.some(({ seats = 0 }) => seats > 0)
  return pacing ?? (isGroup ? 'room' : 'participant')
}

/** The order of the default path: states as listed, a block at the position of its first state. */
export function unitsOf({ states, blocks = [] }: ExperimentDefinition): Unit[] {
  const known = new Set(states.map((state) => state.id))
  const blockOf = new Map<string, Block>()
  for (const block of blocks)
    for (const id of block.states) if (known.has(id) && !blockOf.has(id)) blockOf.set(id, block)
  const placed = new Set<Block>()
  return states.flatMap(({ id }): Unit[] => {
    const block = blockOf.get(id)
    if (!block) return [{ block: null, stateIds: [id] }]
    if (placed.has(block)) return []
    placed.add(block)
    const own = block.states.filter((member) => blockOf.get(member) === block)
    return [{ block, stateIds: [...new Set(own)] }]
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
  return unitsOf(definition).flatMap((unit): Step[] => {
    const { block, stateIds } = unit
    if (!block) return stateIds.map((stateId) => ({ stateId, blockId: null, round: null, rounds: null }))
    const rounds = roundsOf(unit)
    const drawOrder = orderOf(block, stateIds, drawing)
    const drawRows = hasTrials(block) ? drawTrials(block) : () => [null]
    return Array.from({ length: rounds }, (_, index) =>
      drawRows().flatMap((row, at) =>
        drawOrder().map((stateId) => ({
          ...{ stateId, blockId: block.id, round: index + 1, rounds },
          ...(row !== null && { trial: { index: at + 1, row } }),
        })),
      ),
    ).flat()
  })
}

/** F110: the block that begins for whoever goes from one step to another; null for those that are in it already, and outside of blocks. */
export function blockEntered(from: Step | undefined, to: Step | undefined): string | null {
  const blockId = to?.blockId ?? null
  return blockId === from?.blockId ? null : blockId
}

/** F80: where a block is over, in all its rounds: the position of the first step after it. */
export function positionAfterBlock(steps: readonly Step[], position: number): number {
  const blockId = steps[position]?.blockId
  let after = position + 1
  while (after < steps.length && steps[after]?.blockId === blockId) after += 1
  return after
}

/** F111: how many states a round of the unit has. */
export const statesPlayed = ({ block, stateIds }: Unit): number =>
  Math.min(block?.sample ?? stateIds.length, stateIds.length)

/** Returns a function that gives the order of the next round. */
function orderOf(
  block: Block,
  stateIds: readonly string[],
  drawing: { seed: string; ordinal: number; rows?: Rows },
): () => readonly string[] {
  const { order = 'fixed', sample } = block
  const { seed, ordinal, rows } = drawing
  switch (order) {
    case 'fixed': {
      const drawn = drawnStates(block, stateIds, drawing)
      return () => drawn
    }
    case 'random': {
      const drawn = drawnStates(block, stateIds, drawing)
      const next = random(`${seed}/block/${block.id}/${ordinal}`)
      return () => shuffledBy(drawn, next)
    }
    case 'latin_square': {
      const assigned = rows && (Object.hasOwn(rows, block.id) ? rows[block.id] : 0)
      const row = latinSquareRow(stateIds.length, assigned ?? ordinal)
      const order = row.flatMap((index) => stateIds[index] ?? []).slice(0, sample)
      return () => order
    }
    default:
      return assertNever(order)
  }
}

/** F111: as listed, whichever are drawn. */
function drawnStates(
  { id, sample }: Block,
  stateIds: readonly string[],
  { seed, ordinal }: { seed: string; ordinal: number },
): readonly string[] {
  if (sample === undefined) return stateIds
  const drawn = new Set(shuffled(stateIds, `${seed}/sample/${id}/${ordinal}`).slice(0, sample))
  return stateIds.filter((stateId) => drawn.has(stateId))
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
