import type { Kysely } from 'kysely'

/** The columns and indexes that the list of rooms needs. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('rooms').addColumn('paused_at', 'bigint').execute()
  await db.schema.alterTable('rooms').addColumn('end_reason', 'text').execute()
  const inOrder = ['experiment_id', 'created_at', 'room_id']
  await db.schema.createIndex('rooms_in_order').on('rooms').columns(inOrder).execute()
  // Of ten thousand rooms only a few are open. This index finds them without reading past the rest.
  await db.schema
    .createIndex('open_rooms_in_order')
    .on('rooms')
    .columns(inOrder)
    .where('closed_at' as never, 'is', null)
    .execute()
}
