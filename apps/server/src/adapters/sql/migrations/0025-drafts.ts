import type { Kysely } from 'kysely'

/** What editors write before they publish it as a revision. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('definition_drafts')
    .addColumn('experiment_id', 'text', (column) => column.primaryKey())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('definition', 'text')
    .addColumn('based_on', 'integer', (column) => column.notNull())
    .addColumn('saved_by', 'text', (column) => column.notNull())
    .addColumn('saved_at', 'bigint', (column) => column.notNull())
    .execute()
}
