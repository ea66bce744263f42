import { columnsOfRows, type ExperimentDefinition, rowsIn, trialIndex } from '@atrium/contract'
import type { Source } from '@atrium/expressions'
import { hasTrials } from '@atrium/flow'

/** What `trial` has: the columns of its table, and its position. */
export interface TrialSources {
  /** Where it is not known which trial it is: in computed variables and components of several states. */
  anywhere: Source
  /** In the states of a block; one that is in no block with trials has none. */
  inState(stateId: string | undefined): Source
  /** While the rows of the table are chosen. */
  ofTable(tableId: string): Source
}

const of = (tableId: string) => `a column of table ‘${tableId}’`

export function trialSourcesOf({ blocks = [], tables }: ExperimentDefinition): TrialSources {
  const found = blocks.filter(hasTrials)
  const columnsOf = new Map(
    found.map(({ trials: { table } }) => [table, columnsOfRows(rowsIn(tables, table))]),
  )
  const all = [...columnsOf.values()].flat()
  const sourceOf = (tableId: string, more: readonly string[]): Source => {
    const columns = columnsOf.get(tableId) ?? []
    // Of a table without rows, whatever is wrong is said about the table.
    const fields = columns.length > 0 && { fields: new Set([...columns, ...more]) }
    return { ...fields, example: columns[0] ?? trialIndex, of: of(tableId) }
  }
  const tableOfState = new Map(
    found.flatMap(({ states, trials }) => states.map((id) => [id, trials.table] as const)),
  )
  return {
    anywhere:
      found.length > 0
        ? {
            ...([...columnsOf.values()].every(({ length }) => length > 0) && {
              fields: new Set([...all, trialIndex]),
            }),
            example: all[0] ?? trialIndex,
            of: 'a column of any table',
          }
        : {
            example: 'word',
            of: 'a column',
            refused: 'no block plays the rows of a table; give one ‘trials’',
          },
    inState(stateId) {
      if (stateId === undefined || found.length === 0) return this.anywhere
      const table = tableOfState.get(stateId)
      if (table !== undefined) return sourceOf(table, [trialIndex])
      return {
        example: 'word',
        of: 'a column',
        refused: `state ‘${stateId}’ is in no block with ‘trials’, so no row is played there`,
      }
    },
    ofTable: (tableId) => sourceOf(tableId, []),
  }
}
