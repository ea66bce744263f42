import type { Kysely } from 'kysely'

/** The condition of one participant, where the room has none for all. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('assignments').addColumn('condition', 'text').execute()
}
