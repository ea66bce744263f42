import { type Kysely, sql } from 'kysely'

/** What each room and each of its people was assigned, and how many people count in each cell of a design. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('rooms').addColumn('assignment', 'text').execute()
  await db.schema
    .alterTable('experiments')
    .addColumn('seats_opened', 'integer', (column) => column.notNull().defaultTo(sql`0`))
    .execute()
  await db.schema
    .createTable('assignments')
    .addColumn('participant_id', 'text', (column) => column.primaryKey())
    .addColumn('experiment_id', 'text', (column) => column.notNull())
    .addColumn('design', 'text', (column) => column.notNull())
    .addColumn('cells', 'text', (column) => column.notNull())
    .addColumn('is_counted', 'integer', (column) => column.notNull())
    .addColumn('balance', 'text', (column) => column.notNull())
    .addColumn('ordinal', 'integer', (column) => column.notNull())
    .addColumn('seat', 'integer')
    .addColumn('rows', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('assignments_by_experiment').on('assignments').column('experiment_id').execute()
  await db.schema
    .createTable('assignment_counts')
    .addColumn('experiment_id', 'text', (column) => column.notNull())
    .addColumn('design', 'text', (column) => column.notNull())
    .addColumn('cell', 'text', (column) => column.notNull())
    .addColumn('people', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('assignment_counts_key', ['experiment_id', 'design', 'cell'])
    .execute()
}
