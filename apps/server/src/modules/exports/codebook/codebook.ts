import {
  conditionNamesOf,
  declaredColumns,
  type ExperimentDefinition,
  type ExportColumn,
  type ExportTable,
  type Payment,
  roleIdsOf,
  snakeName,
} from '@atrium/contract'
import type { ValueLabel } from '@atrium/contract/components'
import { hasTrials } from '@atrium/flow'
import type { Row } from '../tables/row.ts'
import { createTrialColumns, type TrialColumnSource, type TrialColumns } from '../trials/trial-columns.ts'
import { type ColumnSource, createWideColumns, type WideColumns } from '../wide/wide-columns.ts'
import { type Meaning, meaningOf } from './meaning.ts'

/** What a column means, and in which revisions. */
interface Entry {
  column: ExportColumn
  meaning: Meaning
  revisions: number[]
}

/**
 * R47: what the columns of every table mean, from their declarations, the catalogue of components and the study's own texts.
 * Keeps what it needs of a definition, not the definition: a study may have many revisions. Without answers it knows the
 * variables and payoffs only, which are never too many.
 */
export function createCodebook({ withAnswers = true, withTrials = true } = {}) {
  const entries = new Map<ExportColumn, Map<string, Entry>>()
  const own = new Map<string, Map<string, ValueLabel>>()
  const payments = new Map<number, Payment>()
  let current: ExperimentDefinition | undefined
  const onSource = (
    column: ExportColumn,
    revision: number,
    source: ColumnSource | TrialColumnSource,
  ): void => {
    if (current) note(column, revision, meaningOf(current, source))
  }
  const wideColumns = createWideColumns(onSource, { withAnswers })
  const trialColumns = createTrialColumns(onSource)

  function note(column: ExportColumn, revision: number, meaning: Meaning): void {
    const known = entries.get(column) ?? new Map<string, Entry>()
    entries.set(column, known)
    const key = JSON.stringify(meaning)
    const entry = known.get(key)
    if (entry) entry.revisions.push(revision)
    else known.set(key, { column, meaning, revisions: [revision] })
  }

  function columnsOf(table: ExportTable): readonly ExportColumn[] {
    if (table === 'participants') return wideColumns.columns().columns
    return table === 'trials' ? trialColumns.columns().columns : declaredColumns(table)
  }

  function rowsOf(table: ExportTable): Row[] {
    const columns = columnsOf(table)
    return columns.flatMap((column) => {
      const meanings = entries.get(column)
      return meanings
        ? [...meanings.values()].map((entry) => studyRow(table, entry))
        : [declaredRow(table, column, own.get(column.name))]
    })
  }

  return {
    /** By revision. */
    payments: payments as ReadonlyMap<number, Payment>,
    add(revision: number, definition: ExperimentDefinition): void {
      current = definition
      wideColumns.add(revision, definition)
      if (withTrials) trialColumns.add(revision, definition)
      current = undefined
      if (definition.completion?.payment) payments.set(revision, definition.completion.payment)
      for (const [name, values] of ownValues(definition)) {
        const known = own.get(name) ?? new Map<string, ValueLabel>()
        own.set(name, known)
        for (const value of values) known.set(JSON.stringify(value), value)
      }
    },
    /** The columns of `participants`, which follow from the same definitions. */
    wide: (): WideColumns => wideColumns.columns(),
    /** Those of `trials`; the definitions have the rows of their tables in their place. */
    trials: (): TrialColumns => trialColumns.columns(),
    /** Of these tables, in their order; within a table in that of the columns. */
    rows: (tables: readonly ExportTable[]): Row[] => tables.flatMap(rowsOf),
  }
}

/** The values that the study gives to columns which every study has. */
function ownValues(definition: ExperimentDefinition): [name: string, values: ValueLabel[]][] {
  const { agents = [], blocks = [], states } = definition
  const named = (id: string, name: string | undefined): ValueLabel =>
    name === undefined ? { value: id } : { value: id, label: name }
  const values: [string, ValueLabel[]][] = [
    ['condition', conditionNamesOf(definition).map((value) => ({ value }))],
    ['role', roleIdsOf(definition).map((value) => ({ value }))],
    ['agent', agents.map(({ id, name }) => named(id, name))],
    ['stateId', states.map(({ id, name }) => named(id, name))],
    ['blockId', blocks.filter(hasTrials).map(({ id }) => ({ value: id }))],
  ]
  return values.filter(([, known]) => known.length > 0)
}

function declaredRow(
  table: ExportTable,
  column: ExportColumn,
  own: Map<string, ValueLabel> | undefined,
): Row {
  const values = own ? [...own.values()] : column.allowed?.map((value) => ({ value }))
  return {
    ...namesOf(table, column),
    description: column.description,
    unit: column.unit,
    values: values && JSON.stringify(values),
  }
}

const studyRow = (table: ExportTable, { column, meaning, revisions }: Entry): Row => ({
  ...namesOf(table, column),
  description: column.description,
  unit: column.unit,
  ...meaning,
  revisions: JSON.stringify(revisions),
})

const namesOf = (table: ExportTable, { name, type }: ExportColumn) => ({
  table,
  variable: snakeName(name),
  field: name,
  type,
})
