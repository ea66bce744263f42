import type { ExperimentDefinition } from '@atrium/contract'
import { type Design, designOf } from './design.ts'
import { pacingOf } from './plan.ts'

/** What a revision leaves to be assigned when a room begins. */
export interface RevisionDesign {
  /** Null where only random orders and samples are drawn. */
  design: Design | null
  seed: string
  balance: 'opened' | 'completed'
  /** Each person's random orders are drawn for their seat. */
  movesAlone: boolean
}

/** Null when nothing is to be assigned. */
export function planAssignment(
  definition: ExperimentDefinition,
  experimentId: string,
): RevisionDesign | null {
  const design = designOf(definition)
  const { conditions, blocks = [] } = definition
  const isDrawn = blocks.some(({ order, sample }) => order === 'random' || sample !== undefined)
  if (!design && !isDrawn) return null
  const movesAlone = pacingOf(definition) === 'participant'
  return {
    design,
    seed: conditions?.seed ?? experimentId,
    balance: conditions?.balance ?? 'opened',
    movesAlone,
  }
}
