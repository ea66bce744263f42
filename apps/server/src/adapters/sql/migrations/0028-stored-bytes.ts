import { type Kysely, sql } from 'kysely'

/** How many bytes participants and experiments have stored. What was stored before is not counted. */
export async function up(db: Kysely<never>): Promise<void> {
  const columns: [table: string, column: string][] = [
    ['event_streams', 'stored_bytes'],
    ['event_streams', 'earlier_bytes'],
    ['event_streams', 'file_bytes'],
    ['figure_deltas', 'bytes'],
    ['experiment_totals', 'bytes'],
  ]
  for (const [table, name] of columns)
    await db.schema
      .alterTable(table)
      .addColumn(name, 'bigint', (column) => column.notNull().defaultTo(sql`0`))
      .execute()
}
