import { type Kysely, sql } from 'kysely'

/**
 * Stages of a study: which one a room plays and a participant is in, the rooms that participants have left behind, what they were
 * assigned in later ones, and in which of their rooms something was recorded.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('experiment_revisions').addColumn('first_stage', 'text').execute()
  await db.schema.alterTable('rooms').addColumn('stage', 'text').execute()
  await db.schema.alterTable('participants').addColumn('stage', 'text').execute()
  await db.schema
    .alterTable('participants')
    .addColumn('stay', 'integer', (column) => column.notNull().defaultTo(sql`0`))
    .execute()
  await db.schema.alterTable('participants').addColumn('carried', 'text').execute()
  await db.schema.alterTable('events').addColumn('stay', 'integer').execute()
  await db.schema
    .createTable('former_stays')
    .addColumn('participant_id', 'text', (column) => column.notNull())
    .addColumn('stay', 'integer', (column) => column.notNull())
    .addColumn('stage', 'text')
    .addColumn('room_id', 'text', (column) => column.notNull())
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('alias', 'text')
    .addColumn('finished_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('former_stays_key', ['participant_id', 'stay'])
    .execute()
  await db.schema.createIndex('former_stays_by_room').on('former_stays').column('room_id').execute()
  await db.schema
    .createTable('stay_assignments')
    .addColumn('participant_id', 'text', (column) => column.notNull())
    .addColumn('stay', 'integer', (column) => column.notNull())
    .addColumn('experiment_id', 'text', (column) => column.notNull())
    .addColumn('design', 'text', (column) => column.notNull())
    .addColumn('cells', 'text', (column) => column.notNull())
    .addColumn('ordinal', 'integer', (column) => column.notNull())
    .addColumn('seat', 'integer')
    .addColumn('rows', 'text', (column) => column.notNull())
    .addColumn('condition', 'text')
    .addPrimaryKeyConstraint('stay_assignments_key', ['participant_id', 'stay'])
    .execute()
}
