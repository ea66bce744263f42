import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely'

/**
 * Numbers the streams, and keys stored events by that small number instead of the session's long random id.
 * The old tables are renamed first. On PostgreSQL this also blocks anyone still writing to them, so nothing is
 * acknowledged that is not copied.
 */
export async function up(db: Kysely<never>, engine: 'sqlite' | 'postgres'): Promise<void> {
  for (const table of tables) await db.schema.alterTable(table).renameTo(formerly(table)).execute()
  await createStreams(db, engine)
  await createBatches(db)
  await createEvents(db)
  await copyRows(db)
  for (const table of tables) await db.schema.dropTable(formerly(table)).execute()
  await db.schema
    .createIndex('events_by_id')
    .unique()
    .on('events')
    .columns(['stream_no', 'event_id'])
    .where('event_id' as never, 'is not', null)
    .execute()
}

const tables = ['event_streams', 'event_batches', 'events'] as const
const formerly = (table: string) => `former_${table}`

async function createStreams(db: Kysely<never>, engine: 'sqlite' | 'postgres'): Promise<void> {
  const countedUp = (column: ColumnDefinitionBuilder) =>
    engine === 'postgres' ? column.generatedByDefaultAsIdentity() : column.autoIncrement()
  await db.schema
    .createTable('event_streams')
    .addColumn('stream_no', 'integer', (column) => countedUp(column.primaryKey()))
    .addColumn('session_id', 'text', (column) => column.notNull().unique())
    .addColumn('last_seq', 'integer', (column) => column.notNull())
    .addColumn('sealed', 'integer', (column) => column.notNull())
    .addColumn('client_events', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
}

async function createBatches(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('event_batches')
    .addColumn('stream_no', 'integer', (column) => column.notNull())
    .addColumn('idempotency_key', 'text', (column) => column.notNull())
    .addColumn('body_hash', 'text', (column) => column.notNull())
    .addColumn('recorded', 'integer', (column) => column.notNull())
    .addColumn('received_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('event_batches_of_stream', ['stream_no', 'idempotency_key'])
    .execute()
}

async function createEvents(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('events')
    .addColumn('stream_no', 'integer', (column) => column.notNull())
    .addColumn('seq', 'integer', (column) => column.notNull())
    .addColumn('event_id', 'text')
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('state_id', 'text')
    .addColumn('component_id', 'text')
    .addColumn('timestamp', 'bigint', (column) => column.notNull())
    .addColumn('received_at', 'bigint', (column) => column.notNull())
    .addColumn('data', 'text', (column) => column.notNull())
    .addColumn('flags', 'text', (column) => column.notNull())
    .addColumn('extra', 'text')
    .addPrimaryKeyConstraint('events_of_stream', ['stream_no', 'seq'])
    .execute()
}

async function copyRows(db: Kysely<never>): Promise<void> {
  await sql`insert into event_streams (session_id, last_seq, sealed, client_events)
    select session_id, last_seq, sealed, client_events from former_event_streams order by session_id`.execute(
    db,
  )
  await sql`insert into event_batches (stream_no, idempotency_key, body_hash, recorded, received_at)
    select t.stream_no, b.idempotency_key, b.body_hash, b.recorded, b.received_at
    from former_event_batches b join event_streams t on t.session_id = b.session_id`.execute(db)
  await sql`insert into events (stream_no, seq, event_id, type, state_id, component_id, timestamp, received_at,
      data, flags, extra)
    select t.stream_no, e.seq, e.event_id, e.type, e.state_id, e.component_id, e.timestamp, e.received_at,
      e.data, e.flags, e.extra
    from former_events e join event_streams t on t.session_id = e.session_id
    order by t.stream_no, e.seq`.execute(db)
}
