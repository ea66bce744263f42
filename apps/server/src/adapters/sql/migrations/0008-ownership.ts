import type { Kysely } from 'kysely'

/**
 * R37. Ownership needs no column: the owner is whoever made revision 1. This also covers older experiments, and those
 * that an instance of the previous version creates while this one starts.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createIndex('experiments_by_owner')
    .on('experiment_revisions')
    .columns(['created_by', 'experiment_id'])
    .where('revision' as never, '=', 1 as never)
    .execute()
  await db.schema
    .createTable('experiment_shares')
    .addColumn('experiment_id', 'text', (column) => column.notNull().references('experiments.experiment_id'))
    .addColumn('principal', 'text', (column) => column.notNull())
    .addColumn('user_name', 'text', (column) => column.notNull())
    .addColumn('access', 'text', (column) => column.notNull())
    .addColumn('position', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('experiment_shares_key', ['experiment_id', 'principal'])
    .execute()
  await db.schema
    .createIndex('experiment_shares_by_principal')
    .on('experiment_shares')
    .columns(['principal', 'experiment_id'])
    .execute()
}
