/** Which round of a block a step belongs to. */
export interface RoundOfBlock {
  blockId: string
  /** Counted from 1. */
  round: number
  rounds: number
}

/** The part of a step that says which blocks it is in. */
interface InBlocks {
  blockId: string | null
  round: number | null
  rounds: number | null
  within?: readonly RoundOfBlock[]
}

/** The blocks that a step is in, from the outermost. */
export function blocksAround(step: InBlocks | undefined): readonly RoundOfBlock[] {
  if (!step || step.blockId === null || step.round === null || step.rounds === null) return []
  const { blockId, round, rounds, within = [] } = step
  return [...within, { blockId, round, rounds }]
}

/** How many of the blocks around two steps have begun once for both: a block begins anew in each round of the block that it is in. */
function sharedBlocks(one: readonly RoundOfBlock[], other: readonly RoundOfBlock[]): number {
  let shared = 0
  for (; shared < one.length; shared += 1) {
    if (one[shared]?.blockId !== other[shared]?.blockId) return shared
    if (one[shared]?.round !== other[shared]?.round) return shared + 1
  }
  return shared
}

/** F110: the blocks that begin for whoever goes from one step to another, from the outermost; none that they are in already. */
export function blocksEntered(from: InBlocks | undefined, to: InBlocks | undefined): string[] {
  const around = blocksAround(to)
  return around.slice(sharedBlocks(around, blocksAround(from))).map(({ blockId }) => blockId)
}

/** Whether the innermost block of a step, once begun, is the one that the other step is in as well. */
const isInBlockOf = (step: InBlocks, other: InBlocks | undefined, blockId: string | null): boolean => {
  const around = blocksAround(step)
  const depth = around.findIndex((one) => one.blockId === blockId)
  return depth >= 0 && sharedBlocks(around, blocksAround(other)) > depth
}

/** F80: where a block is over, in all its rounds: the position of the first step after it. The innermost, if none is named. */
export function positionAfterBlock(
  steps: readonly InBlocks[],
  position: number,
  blockId: string | null = steps[position]?.blockId ?? null,
): number {
  const step = steps[position]
  let after = position + 1
  if (!step || blockId === null) return after
  while (after < steps.length && isInBlockOf(step, steps[after], blockId)) after += 1
  return after
}
