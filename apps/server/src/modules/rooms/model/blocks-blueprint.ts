import type { ExperimentDefinition } from '@atrium/contract'
import type { Expression } from '@atrium/expressions'
import { compileExpression } from './compiled-expression.ts'

/** What rooms need of blocks; their order is in the plan. */
export interface BlocksBlueprint {
  /** RM240: null for a block that is always played. */
  whenOf(blockId: string): Expression | null
}

export function compileBlocks({ blocks = [] }: ExperimentDefinition): BlocksBlueprint {
  const conditions = new Map(
    blocks.flatMap(({ id, when }) => (when === undefined ? [] : [[id, compileExpression(when)] as const])),
  )
  return { whenOf: (blockId) => conditions.get(blockId) ?? null }
}
