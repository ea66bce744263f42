import { assertNever, type ExperimentDefinition, endOfExperiment } from '@atrium/contract'
import { latinSquareRow } from './latin-square.ts'
import { random, shuffledBy } from './random.ts'

/** One stop on the default path. */
export interface Step {
  stateId: string
  blockId: string | null
  /** Counted from 1; null outside blocks. */
  round: number | null
  rounds: number | null
}

type Block = NonNullable<ExperimentDefinition['blocks']>[number]

/** A state by itself, or a block whose states are played together. */
export interface Unit {
  block: Block | null
  stateIds: readonly string[]
}

export const roundsOf = ({ block }: Unit): number => block?.rounds ?? 1

/** The order of the default path: states as listed, a block where the first of its states stands. */
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

/** The default path of the room or participant number `ordinal`, with the orders that its seed draws. */
export function planSteps(definition: ExperimentDefinition, seed: string, ordinal: number): Step[] {
  return unitsOf(definition).flatMap((unit): Step[] => {
    const { block, stateIds } = unit
    if (!block) return stateIds.map((stateId) => ({ stateId, blockId: null, round: null, rounds: null }))
    const rounds = roundsOf(unit)
    const drawOrder = orderOf(block, stateIds, seed, ordinal)
    return Array.from({ length: rounds }, (_, index) =>
      drawOrder().map((stateId) => ({ stateId, blockId: block.id, round: index + 1, rounds })),
    ).flat()
  })
}

/** A function that gives the order of the next round. */
function orderOf(
  block: Block,
  stateIds: readonly string[],
  seed: string,
  ordinal: number,
): () => readonly string[] {
  const { order = 'fixed' } = block
  switch (order) {
    case 'fixed':
      return () => stateIds
    case 'random': {
      const next = random(`${seed}/block/${block.id}/${ordinal}`)
      return () => shuffledBy(stateIds, next)
    }
    case 'latin_square': {
      const row = latinSquareRow(stateIds.length, ordinal).flatMap((index) => stateIds[index] ?? [])
      return () => row
    }
    default:
      return assertNever(order)
  }
}

/**
 * Where a transition leads. Without a target to the following step; to a state at its nearest later place on the path,
 * or, when it is not to come any more, at the nearest one behind (or here again). Beyond the last step is the end.
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
