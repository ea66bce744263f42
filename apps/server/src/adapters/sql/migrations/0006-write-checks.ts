import type { Kysely } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('write_checks')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .execute()
}
