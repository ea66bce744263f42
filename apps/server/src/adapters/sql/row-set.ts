import { type RawBuilder, sql } from 'kysely'
import type { Sql, Tables } from './tables.ts'

type ColumnType = 'text' | 'bigint' | 'integer'

/**
 * Many rows as one parameter: a derived table called `name` that both engines read from one JSON text. The SQL
 * stays the same whatever the number of rows, so that statements are prepared once, and neither engine's limit
 * on parameters is met.
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

export async function insertRows(
  { engine, db }: Sql,
  table: keyof Tables,
  columns: Record<string, ColumnType>,
  rows: readonly object[],
): Promise<void> {
  const names = sql.join(Object.keys(columns).map((column) => sql.ref(column)))
  await sql`insert into ${sql.table(table)} (${names})
    select ${names} from ${rowSet(engine, 'fresh', columns, rows)}`.execute(db)
}
