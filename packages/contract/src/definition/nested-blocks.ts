import type { ExperimentDefinition } from './definition.ts'

interface BlockLike {
  id: string
  states: readonly string[]
}

/** F183: how deep blocks can be within each other. */
export const maxBlockDepth = 3

/** The ids of all states that a block plays, those of the blocks in it included, each once. `isState` says which ids are of states. */
export function statesInBlock(
  block: BlockLike,
  blocks: readonly BlockLike[],
  isState: (id: string) => boolean,
): string[] {
  const byId = new Map(blocks.map((one) => [one.id, one]))
  const found = new Set<string>()
  const looked = new Set<BlockLike>()
  function look(one: BlockLike): void {
    if (looked.has(one)) return
    looked.add(one)
    for (const id of one.states) {
      const inner = isState(id) ? undefined : byId.get(id)
      if (inner) look(inner)
      else found.add(id)
    }
  }
  look(block)
  return [...found]
}

/** F85: the states that are played in a block which rotates roles, also those in blocks within it. */
export const statesWithRotation = ({
  blocks = [],
  states,
}: Pick<ExperimentDefinition, 'blocks' | 'states'>): Set<string> => {
  const isState = new Set(states.map(({ id }) => id))
  return new Set(
    blocks.flatMap((block) =>
      block.rotateRoles ? statesInBlock(block, blocks, (id) => isState.has(id)) : [],
    ),
  )
}
