import type { Kysely } from 'kysely'

/** What is replayed in place of actions, after somebody was deleted; and for how long a revision keeps identities. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('room_actions').addColumn('replay', 'text').execute()
  await db.schema.alterTable('experiment_revisions').addColumn('identity_days', 'integer').execute()
}
