import type { Kysely } from 'kysely'

/**
 * How far participants' clocks are from the server's: estimated for each event that comes with their time, from bounds kept per stream.
 * And what a session was read in and served by. What was stored before has none of it.
 */
export async function up(db: Kysely<never>): Promise<void> {
  const columns: [table: string, column: string, type: 'bigint' | 'text'][] = [
    ['events', 'clock_offset_ms', 'bigint'],
    ['events', 'clock_error_ms', 'bigint'],
    ['event_streams', 'clock_low_ms', 'bigint'],
    ['event_streams', 'clock_high_ms', 'bigint'],
    ['sessions', 'language', 'text'],
    ['sessions', 'software_version', 'text'],
  ]
  for (const [table, name, type] of columns) await db.schema.alterTable(table).addColumn(name, type).execute()
}
