import type { Kysely } from 'kysely'

/** Hidden experiments in which researchers play what they are writing. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('tries')
    .addColumn('experiment_id', 'text', (column) => column.primaryKey())
    .addColumn('try_of', 'text', (column) => column.notNull())
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('tries_by_owner').on('tries').columns(['owner', 'created_at']).execute()
  await db.schema.createIndex('tries_by_expiry').on('tries').column('expires_at').execute()
}
