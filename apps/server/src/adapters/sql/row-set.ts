import { CompiledQuery, type RawBuilder, sql } from 'kysely'
import type { Sql, Tables } from './tables.ts'

type ColumnType = 'text' | 'bigint' | 'integer' | 'double precision'

/**
 * Many rows as one parameter: a derived table called `name` that both engines read from one JSON text. The SQL is the
 * same for any number of rows, so it is prepared once, and neither engine's limit on parameters applies.
 */
export function rowSet(
  engine: Sql['engine'],
  name: string,
  columns: Record<string, ColumnType>,
  rows: readonly object[],
): RawBuilder<unknown> {
  const json = JSON.stringify(rows)
  const names = Object.entries(columns)
  if (engine === 'postgres') {
    const typed = sql.join(names.map(([column, type]) => sql`${sql.ref(column)} ${sql.raw(type)}`))
    return sql`json_to_recordset(${json}::json) as ${sql.ref(name)}(${typed})`
  }
  const picked = sql.join(
    names.map(([column]) => sql`value ->> ${sql.lit(`$.${column}`)} as ${sql.ref(column)}`),
  )
  return sql`(select ${picked} from json_each(${json})) as ${sql.ref(name)}`
}

/** Ids as a derived table `named`, in one parameter however many there are. */
export const namedIds = (engine: Sql['engine'], ids: readonly string[]): RawBuilder<unknown> =>
  rowSet(
    engine,
    'named',
    { id: 'text' },
    ids.map((id) => ({ id })),
  )

/**
 * A statement over many rows without other parameters. It is compiled once: compiling takes as long as PostgreSQL
 * takes to run it, and these statements run for every action and every batch of events.
 */
export function overRows<Result>(
  engine: Sql['engine'],
  name: string,
  columns: Record<string, ColumnType>,
  write: (rows: RawBuilder<unknown>) => RawBuilder<Result>,
) {
  let text: string | undefined
  return async (db: Sql['db'], rows: readonly object[]): Promise<Result[]> => {
    text ??= write(rowSet(engine, name, columns, [])).compile(db).sql
    return (await db.executeQuery<Result>(CompiledQuery.raw(text, [JSON.stringify(rows)]))).rows
  }
}

interface RowSet {
  name: string
  columns: Record<string, ColumnType>
}

/** The same for two sets of rows, which the statement must use in this order. */
export function overTwoRowSets<Result>(
  engine: Sql['engine'],
  first: RowSet,
  second: RowSet,
  write: (first: RawBuilder<unknown>, second: RawBuilder<unknown>) => RawBuilder<Result>,
) {
  const empty = ({ name, columns }: RowSet) => rowSet(engine, name, columns, [])
  let text: string | undefined
  return async (db: Sql['db'], one: readonly object[], other: readonly object[]): Promise<Result[]> => {
    text ??= write(empty(first), empty(second)).compile(db).sql
    const rows = [JSON.stringify(one), JSON.stringify(other)]
    return (await db.executeQuery<Result>(CompiledQuery.raw(text, rows))).rows
  }
}

type Row = Record<string, string | number | null>

/**
 * Inserts rows as plain values, in blocks of these sizes: SQLite takes twice as long to read the same rows from JSON
 * (200 µs instead of 100 µs for ten events), and a few sizes mean few statements to prepare.
 */
const blockSizes = [100, 10, 1]

/** Inserts many rows into a table; created once per table, because the statements never change. */
export function inserterOf(engine: Sql['engine'], table: keyof Tables, columns: Record<string, ColumnType>) {
  const names = Object.keys(columns)
  if (engine === 'postgres') {
    const listed = sql.join(names.map((column) => sql.ref(column)))
    const insert = overRows(
      engine,
      'fresh',
      columns,
      (fresh) => sql`insert into ${sql.table(table)} (${listed}) select ${listed} from ${fresh}`,
    )
    return async (db: Sql['db'], rows: readonly Row[]): Promise<void> => void (await insert(db, rows))
  }
  const row = `(${names.map(() => '?').join(', ')})`
  const blocks = blockSizes.map((size) => ({
    size,
    statement: `insert into ${table} (${names.join(', ')}) values ${Array(size).fill(row).join(', ')}`,
  }))
  return async (db: Sql['db'], rows: readonly Row[]): Promise<void> => {
    let written = 0
    for (const { size, statement } of blocks)
      for (; rows.length - written >= size; written += size) {
        const values = rows.slice(written, written + size).flatMap((row) => names.map((name) => row[name]))
        await db.executeQuery(CompiledQuery.raw(statement, values))
      }
  }
}
