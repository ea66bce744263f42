import type { Kysely } from 'kysely'

/** A room's log of actions is its history; snapshots only make it faster to rebuild the present state. */
export async function up(db: Kysely<never>): Promise<void> {
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
