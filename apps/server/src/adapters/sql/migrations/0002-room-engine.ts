import { type Kysely, sql } from 'kysely'

/** The log of a room is its history; snapshots only shorten the way to its present state. */
export async function addRoomEngine(db: Kysely<never>): Promise<void> {
  await db.schema
    .alterTable('experiments')
    .addColumn('rooms_opened', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema
    .alterTable('rooms')
    .addColumn('epoch', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema
    .alterTable('rooms')
    .addColumn('seed', 'text', (column) => column.notNull().defaultTo(''))
    .execute()
  await db.schema.alterTable('rooms').addColumn('ordinal', 'integer').execute()
  await db.schema.createIndex('rooms_by_pod').on('rooms').columns(['pod_id', 'closed_at']).execute()
  await db.schema
    .alterTable('event_streams')
    .addColumn('client_events', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema
    .createTable('room_actions')
    .addColumn('room_id', 'text', (column) => column.notNull())
    .addColumn('seq', 'integer', (column) => column.notNull())
    .addColumn('epoch', 'integer', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('actor', 'text', (column) => column.notNull())
    .addColumn('action_id', 'text')
    .addColumn('action', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('room_actions_key', ['room_id', 'seq'])
    .execute()
  await db.schema
    .createTable('room_snapshots')
    .addColumn('room_id', 'text', (column) => column.primaryKey())
    .addColumn('seq', 'integer', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .execute()
}

/** What a list of rooms shows beside the rows as they were, and the orders in which it is read. */
export async function addRoomListing(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('rooms').addColumn('paused_at', 'bigint').execute()
  await db.schema.alterTable('rooms').addColumn('end_reason', 'text').execute()
  const inOrder = ['experiment_id', 'created_at', 'room_id']
  await db.schema.createIndex('rooms_in_order').on('rooms').columns(inOrder).execute()
  // Of ten thousand rooms a few are open: found by themselves, without reading past those that have ended.
  await db.schema
    .createIndex('open_rooms_in_order')
    .on('rooms')
    .columns(inOrder)
    .where('closed_at' as never, 'is', null)
    .execute()
}

export async function addAgentSeats(db: Kysely<never>): Promise<void> {
  await db.schema
    .alterTable('rooms')
    .addColumn('agents', 'text', (column) => column.notNull().defaultTo('[]'))
    .execute()
}

/** R55: what an action was answered, found by its id; and why a wait has ended. */
export async function addFirstAnswers(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('sessions').addColumn('wait_ended', 'text').execute()
  await db.schema.alterTable('room_actions').addColumn('answer', 'integer').execute()
  await db.schema
    .createIndex('room_actions_by_id')
    .on('room_actions')
    .columns(['room_id', 'action_id'])
    .where('action_id' as never, 'is not', null)
    .execute()
}

/** Rooms that no instance holds, and when the clock next changes one of them. */
export async function addRestingRooms(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('rooms').addColumn('resting_since', 'bigint').execute()
  await db.schema.alterTable('rooms').addColumn('due_at', 'bigint').execute()
  // Nobody has entered them. The others were held by an instance, which takes them back and lets them rest in turn.
  await sql`update rooms set resting_since = created_at where ordinal is null and closed_at is null`.execute(
    db,
  )
  // Every instance looks for both all the time, and of the rooms that there ever were, few are in either.
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
