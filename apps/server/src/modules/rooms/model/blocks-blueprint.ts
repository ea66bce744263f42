import type { ExperimentDefinition } from '@atrium/contract'
import type { Expression } from '@atrium/expressions'
import { pacingOf } from '@atrium/flow'
import { compileExpression } from './compiled-expression.ts'

/** What rooms need of blocks; their order is in the plan. */
export interface BlocksBlueprint {
  /** RM240: null for a block that is always played. */
  whenOf(blockId: string): Expression | null
  /** RM243: what ends a block after a round; null for most. */
  untilOf(blockId: string): Expression | null
  /** RM221: whether each participant in a group skips it, and not the room. */
  isSkippedByEach(blockId: string): boolean
  /** RM215: whether roles rotate in a block, or in any. */
  rotates(blockId: string): boolean
  hasRotation: boolean
}

export function compileBlocks(definition: ExperimentDefinition): BlocksBlueprint {
  const { blocks = [] } = definition
  const compiled = (setting: 'when' | 'until') =>
    new Map(
      blocks.flatMap(({ id, [setting]: text }) =>
        text === undefined ? [] : [[id, compileExpression(text)] as const],
      ),
    )
  const [conditions, stopRules] = [compiled('when'), compiled('until')]
  const rotating = new Set(blocks.flatMap(({ id, rotateRoles }) => (rotateRoles ? [id] : [])))
  const byEach = new Set(
    pacingOf(definition) === 'room'
      ? blocks.flatMap(({ id, per }) => (per === 'participant' ? [id] : []))
      : [],
  )
  return {
    isSkippedByEach: (blockId) => byEach.has(blockId),
    whenOf: (blockId) => conditions.get(blockId) ?? null,
    untilOf: (blockId) => stopRules.get(blockId) ?? null,
    rotates: (blockId) => rotating.has(blockId),
    hasRotation: rotating.size > 0,
  }
}
