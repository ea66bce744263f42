import type { ExperimentDefinition } from '@atrium/contract'

export type Block = NonNullable<ExperimentDefinition['blocks']>[number]

/** A state by itself, or a block whose members, which are states or blocks, are played together. */
export interface Unit {
  block: Block | null
  /** Of a block, also those of the blocks in it. */
  stateIds: readonly string[]
  /** Of a block, in its order. */
  members: readonly Unit[]
}

export const stateUnit = (id: string): Unit => ({ block: null, stateIds: [id], members: [] })

/** How a unit is called in the block that it is in. */
export const memberName = ({ block, stateIds }: Unit): string => block?.id ?? stateIds[0] ?? ''

/** All blocks of these units, each before those in it. */
export const blockUnitsIn = (units: readonly Unit[]): Unit[] =>
  units.flatMap((unit) => (unit.block ? [unit, ...blockUnitsIn(unit.members)] : []))

/**
 * F183: which block each state and each block is in: the first that names it. What saving refuses has a plan as well: what would
 * put a block into itself is passed over.
 */
export function nestingOf(stateIds: ReadonlySet<string>, blocks: readonly Block[]) {
  const byId = new Map(blocks.toReversed().map((block) => [block.id, block]))
  const around = new Map<string | Block, Block>()
  // A state comes first where a block has the same id, as it did before blocks could be within each other.
  const memberOf = (id: string): string | Block | undefined => (stateIds.has(id) ? id : byId.get(id))
  const outermost = (block: Block): Block => {
    let outer = block
    for (let next = around.get(outer); next; next = around.get(outer)) outer = next
    return outer
  }
  for (const block of blocks)
    for (const id of block.states) {
      const member = memberOf(id)
      if (member !== undefined && !around.has(member) && outermost(block) !== member)
        around.set(member, block)
    }

  function outermostOf(stateId: string): Block | undefined {
    const block = around.get(stateId)
    return block && outermost(block)
  }

  function unitOf(block: Block): Unit {
    const members = [...new Set(block.states)].flatMap((id): Unit[] => {
      const member = memberOf(id)
      if (member === undefined || around.get(member) !== block) return []
      const unit = typeof member === 'string' ? stateUnit(id) : unitOf(member)
      return unit.stateIds.length > 0 ? [unit] : []
    })
    return { block, members, stateIds: members.flatMap((member) => member.stateIds) }
  }

  return { outermostOf, unitOf }
}
