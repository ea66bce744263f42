import type { Kysely } from 'kysely'

/** What was known when people were matched: a row for each room that somebody was matched into. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('matches')
    .addColumn('participant_id', 'text', (column) => column.notNull())
    .addColumn('room_id', 'text', (column) => column.notNull())
    .addColumn('experiment_id', 'text', (column) => column.notNull())
    .addColumn('search', 'text', (column) => column.notNull())
    .addColumn('waiting', 'integer', (column) => column.notNull())
    .addColumn('considered', 'integer', (column) => column.notNull())
    .addColumn('passed_over', 'integer', (column) => column.notNull())
    .addColumn('waited_ms', 'bigint', (column) => column.notNull())
    .addColumn('part', 'integer')
    .addPrimaryKeyConstraint('matches_key', ['participant_id', 'room_id'])
    .execute()
  await db.schema.createIndex('matches_by_experiment').on('matches').column('experiment_id').execute()
}
