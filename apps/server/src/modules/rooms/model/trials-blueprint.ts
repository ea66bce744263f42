import { type ExperimentDefinition, rowsIn, type TrialRow, trialIndex } from '@atrium/contract'
import type { Expression, Value } from '@atrium/expressions'
import { cellOf, hasTrials, type Step, type TrialRows, trialRowsOf } from '@atrium/flow'
import { compileExpression } from './compiled-expression.ts'

/** R66: what rooms need of tables. A room itself knows the numbers of its rows only (RM210). */
export interface TrialsBlueprint {
  /** Numbers of the rows that the trials of each block may play. */
  rows(): TrialRows
  /** RM211: what ends a block after a row; null for most. */
  untilOf(blockId: string): Expression | null
  /** RM213: `trial.<name>` in a step; null outside trials, and where there is no such column. */
  valueIn(step: Step | undefined, name: string): Value
}

export function compileTrials({ blocks = [], tables }: ExperimentDefinition): TrialsBlueprint {
  const found = blocks.filter(hasTrials).map(({ id, trials: { table, until } }) => {
    const rows: readonly TrialRow[] = rowsIn(tables, table)
    return [id, { rows, until: until === undefined ? null : compileExpression(until) }] as const
  })
  const byBlock = new Map(found)
  let rows: TrialRows | undefined
  return {
    rows() {
      // A large table takes a while, and is needed only where a room begins.
      rows ??= trialRowsOf({ name: '', states: [], blocks, ...(tables && { tables }) })
      return rows
    },
    untilOf: (blockId) => byBlock.get(blockId)?.until ?? null,
    valueIn(step, name) {
      if (!step?.trial || step.blockId === null) return null
      if (name === trialIndex) return step.trial.index
      return cellOf(byBlock.get(step.blockId)?.rows[step.trial.row - 1], name)
    },
  }
}
