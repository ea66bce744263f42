import type { Kysely } from 'kysely'

/** R55: the first answer to an action, found by the action's id. Also: why a wait ended without a room. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('sessions').addColumn('wait_ended', 'text').execute()
  await db.schema.alterTable('room_actions').addColumn('answer', 'integer').execute()
  await db.schema
    .createIndex('room_actions_by_id')
    .on('room_actions')
    .columns(['room_id', 'action_id'])
    .where('action_id' as never, 'is not', null)
    .execute()
}
