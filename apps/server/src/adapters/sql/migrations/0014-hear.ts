import type { Kysely } from 'kysely'

/** Counts the roles drawn for participants who are alone in their room. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('role_draws')
    .addColumn('experiment_id', 'text', (column) => column.primaryKey())
    .addColumn('drawn', 'integer', (column) => column.notNull())
    .execute()
}
