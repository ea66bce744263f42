import { type ExperimentDefinition, statesInBlock } from '@atrium/contract'

/** Number of rounds of the states in blocks. */
export const roundsByState = ({ blocks = [] }: ExperimentDefinition): Map<string, number> =>
  new Map(blocks.flatMap(({ states, rounds = 1 }) => states.map((stateId) => [stateId, rounds] as const)))

/** States that a transition can lead back to, and those on the way from there; of a block, all states. And those that outer rounds repeat. */
export function repeatableStates({ states, blocks = [] }: ExperimentDefinition): Set<string> {
  const places = new Map(states.map(({ id }, place) => [id, place]))
  const repeatable = new Set<string>()
  states.forEach(({ next = [] }, place) => {
    for (const { to } of next) {
      const target = places.get(to)
      if (target === undefined || target > place) continue
      for (const { id } of states.slice(target, place + 1)) repeatable.add(id)
    }
  })
  for (const block of blocks) {
    const inside = statesInBlock(block, blocks, (id) => places.has(id))
    const isInRounds = (id: string): boolean => (block.rounds ?? 1) > 1 && !block.states.includes(id)
    // The order within a block may be drawn; a block in a block is played again in each round of that.
    if (inside.some((id) => repeatable.has(id))) for (const id of inside) repeatable.add(id)
    for (const id of inside.filter(isInRounds)) repeatable.add(id)
  }
  return repeatable
}
