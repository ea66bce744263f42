import { createNetwork } from './network.ts'
import { anyRole } from './pool.ts'

/** How many people fit which parts (bits). */
export type ByParts = Map<number, number>

/** What is open in a group, and who could take it. */
export interface OpenGroup {
  /** Of the whole group. */
  counts: readonly number[]
  seated: ByParts
  /** How many more of a role the minima need, and how many more than that it may have. */
  roles: readonly { needed: number; more: number }[]
  /** How many may have a role beyond its minimum, in all roles together: the other places are for minima. */
  spare: number
  /** By role, `anyRole` included. */
  supply: ReadonlyMap<number, ByParts>
}

/**
 * M28: how many people the group can have, with those who are seated, as far as parts and roles decide. Exact, so that a search
 * that asks at each step turns back at once. `steps` is what finding out has cost.
 */
export function mostPeople({ counts, seated, roles, spare, supply }: OpenGroup) {
  const network = createNetwork()
  const { source, sink, addNode, connect } = network
  const parts = counts.map((count) => {
    const part = addNode()
    connect(part, sink, count)
    return part
  })
  const alike = new Map<number, number>()
  function nodeOf(fits: number): number {
    const known = alike.get(fits)
    if (known !== undefined) return known
    const node = addNode()
    alike.set(fits, node)
    for (const [index, part] of parts.entries())
      if ((fits & (1 << index)) !== 0) connect(node, part, Infinity)
    return node
  }
  for (const [fits, many] of seated) connect(source, nodeOf(fits), many)
  // First those who are seated: whoever has been sent stays.
  const people = network.send()
  const beyondMinima = addNode()
  connect(source, beyondMinima, spare)
  for (const [role, byParts] of supply) {
    const { needed, more } = roles[role] ?? { needed: Infinity, more: 0 }
    const node = addNode()
    connect(source, node, role === anyRole ? Infinity : needed)
    connect(beyondMinima, node, role === anyRole ? 0 : more)
    for (const [fits, many] of byParts) connect(node, nodeOf(fits), many)
  }
  return { people: people + network.send(), steps: network.steps() }
}
