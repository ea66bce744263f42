import { type Kysely, sql } from 'kysely'

/** Rooms that no instance holds, and the next deadline of each. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('rooms').addColumn('resting_since', 'bigint').execute()
  await db.schema.alterTable('rooms').addColumn('due_at', 'bigint').execute()
  // Nobody has entered these. The others were held by an instance, which takes them back and puts them to rest in turn.
  await sql`update rooms set resting_since = created_at where ordinal is null and closed_at is null`.execute(
    db,
  )
  // Every instance queries both all the time, and only few of all rooms are in either.
  await db.schema
    .createIndex('awake_rooms')
    .on('rooms')
    .column('pod_id')
    .where('closed_at' as never, 'is', null)
    .where('resting_since' as never, 'is', null)
    .execute()
  await db.schema
    .createIndex('due_rooms')
    .on('rooms')
    .columns(['due_at', 'room_id'])
    .where('closed_at' as never, 'is', null)
    .where('due_at' as never, 'is not', null)
    .execute()
}
