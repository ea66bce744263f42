import type { Kysely } from 'kysely'

/**
 * Tables of trials that researchers upload, which never change, and the revisions that play their rows. Without references to
 * revisions: the previous release deletes those without knowing of this.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('trial_tables')
    .addColumn('table_id', 'text', (column) => column.primaryKey())
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('columns', 'text', (column) => column.notNull())
    .addColumn('row_count', 'bigint', (column) => column.notNull())
    .addColumn('bytes', 'bigint', (column) => column.notNull())
    .addColumn('sha256', 'text', (column) => column.notNull())
    .addColumn('content', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('removed_at', 'bigint')
    .execute()
  await db.schema
    .createIndex('trial_tables_by_owner')
    .on('trial_tables')
    .columns(['owner', 'created_at', 'table_id'])
    .execute()
  await db.schema
    .createTable('pinned_tables')
    .addColumn('experiment_id', 'text', (column) => column.notNull())
    .addColumn('revision', 'bigint', (column) => column.notNull())
    .addColumn('table_id', 'text', (column) => column.notNull())
    .addColumn('sha256', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('pinned_tables_key', ['experiment_id', 'revision', 'table_id'])
    .execute()
  await db.schema.createIndex('pinned_tables_by_table').on('pinned_tables').column('table_id').execute()
}
