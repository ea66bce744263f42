import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { identifierPattern, idPattern } from '../name-patterns.ts'
import { RecordOf } from '../record-of.ts'
import { Name } from '../text.ts'

const Strict = { additionalProperties: false }
const bounds = limits.tables

/** The same pattern as that of variables, because expressions read both by name. */
export const columnPattern = identifierPattern
export const tableIdPattern = '^tbl_[A-Za-z0-9_-]{1,64}$'

/** What `trial` has besides the columns of its table: the position of the trial in its block and round, counted from 1. */
export const trialIndex = 'index'

export const TrialCell = Type.Union([
  Type.String({ pattern: `^[^\\u0000\\p{Cs}]{0,${bounds.cellCharacters}}$` }),
  Type.Number(),
  Type.Boolean(),
  Type.Null(),
])
export type TrialCell = Type.Static<typeof TrialCell>

export const TrialRow = RecordOf(Type.String({ pattern: columnPattern }), TrialCell, {
  ...Strict,
  maxProperties: bounds.columns,
  description: 'Column → a text, a number, true, false or null; a column that a row leaves out is null',
})
export type TrialRow = Type.Static<typeof TrialRow>

const TableSource = Type.Object(
  {
    rows: Type.Optional(
      Type.Array(TrialRow, {
        minItems: 1,
        maxItems: bounds.rows,
        description: 'The rows themselves; for large tables, upload them and use `tableId`',
      }),
    ),
    tableId: Type.Optional(
      Type.String({
        pattern: tableIdPattern,
        description: 'A table that was uploaded, instead of `rows`',
        examples: ['tbl_7Jq2mR4tVw9K'],
      }),
    ),
  },
  { ...Strict, description: 'A table: either its `rows` or the `tableId` of an upload' },
)

/** R66 */
export const TrialTables = RecordOf(Type.String({ pattern: idPattern }), TableSource, {
  ...Strict,
  maxProperties: bounds.perDefinition,
  description: 'Id → a table whose rows the trials of a block play',
})
export type TrialTables = Type.Static<typeof TrialTables>

/** R66: the states of the block are played once for each row. */
export const Trials = Type.Object(
  {
    table: Type.String({ pattern: idPattern, description: 'The table, by its id in `tables`' }),
    order: Type.Optional(
      Type.Enum(['listed', 'random', 'latin_square'], {
        description:
          'Order of the rows: as `listed`, the default; `random`, drawn again in every round; `latin_square`, a row of a balanced Latin square, which is balanced with the conditions and the other blocks',
      }),
    ),
    sample: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: bounds.rows,
        description:
          'How many rows are drawn, without replacement; all when absent. With `latin_square`, those at the beginning of its row, so that all rows are played equally often',
      }),
    ),
    where: Type.Optional(
      Name(2_000, 'Expression over `trial.<column>`; only rows for which it is true are played'),
    ),
    until: Type.Optional(
      Name(2_000, 'Expression, evaluated after each row; as soon as it is true, the block is over'),
    ),
    reuse: Type.Optional(
      Type.Boolean({
        description:
          'Whether rows that earlier blocks have drawn with `sample` may be played again; false when absent',
      }),
    ),
  },
  { ...Strict, description: 'Plays the states of the block once for each row of a table' },
)
export type Trials = Type.Static<typeof Trials>

/** Rows by the id of the table in the definition; absent for a table whose rows were not looked up. */
export const rowsIn = (tables: TrialTables | undefined, id: string): readonly TrialRow[] =>
  (tables && Object.hasOwn(tables, id) ? tables[id]?.rows : undefined) ?? []

/** The columns of a table, in the order in which its rows first name them. */
export function columnsOfRows(rows: readonly TrialRow[]): string[] {
  const columns = new Set<string>()
  for (const row of rows) for (const name of Object.keys(row)) columns.add(name)
  return [...columns]
}

/** Uploaded tables that a definition names, each once. */
export const tableIdsIn = ({ tables = {} }: { tables?: TrialTables }): string[] => [
  ...new Set(Object.values(tables).flatMap(({ tableId }) => tableId ?? [])),
]

/** The definition with the rows of uploaded tables in their place, as rooms play it. */
export function withRows<Definition extends { tables?: TrialTables }>(
  definition: Definition,
  rowsByTableId: ReadonlyMap<string, TrialRow[]>,
): Definition {
  if (!definition.tables || tableIdsIn(definition).length === 0) return definition
  const tables = Object.fromEntries(
    Object.entries(definition.tables).map(([id, source]) => {
      const rows = source.tableId === undefined ? undefined : rowsByTableId.get(source.tableId)
      return [id, rows ? { rows } : source]
    }),
  )
  return { ...definition, tables }
}
