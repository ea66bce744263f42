import type { Kysely } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await createExperimentTables(db)
  await createParticipantTables(db)
  await createEventTables(db)
  await db.schema
    .createTable('shared_secrets')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('audit_log')
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('actor', 'text', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('details', 'text', (column) => column.notNull())
    .execute()
}

async function createExperimentTables(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('experiments')
    .addColumn('experiment_id', 'text', (column) => column.primaryKey())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('capacity', 'integer')
    .addColumn('participant_count', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('experiments_by_status').on('experiments').column('status').execute()
  await db.schema
    .createTable('experiment_revisions')
    .addColumn('experiment_id', 'text', (column) => column.notNull().references('experiments.experiment_id'))
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('definition', 'text', (column) => column.notNull())
    .addColumn('created_by', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('experiment_revisions_key', ['experiment_id', 'revision'])
    .execute()
}

async function createParticipantTables(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('rooms')
    .addColumn('room_id', 'text', (column) => column.primaryKey())
    .addColumn('experiment_id', 'text', (column) => column.notNull())
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('pod_id', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('closed_at', 'bigint')
    .execute()
  await db.schema
    .createTable('participants')
    .addColumn('participant_id', 'text', (column) => column.primaryKey())
    .addColumn('experiment_id', 'text', (column) => column.notNull())
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('room_id', 'text')
    .addColumn('joined_at', 'bigint', (column) => column.notNull())
    .addColumn('completed_at', 'bigint')
    .execute()
  await db.schema
    .createIndex('participants_in_order')
    .on('participants')
    .columns(['experiment_id', 'joined_at', 'participant_id'])
    .execute()
  await db.schema.createIndex('participants_by_room').on('participants').column('room_id').execute()
  await db.schema
    .createTable('participant_identities')
    .addColumn('participant_id', 'text', (column) => column.primaryKey())
    .addColumn('experiment_id', 'text', (column) => column.notNull())
    .addColumn('issuer', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('attempt', 'integer', (column) => column.notNull())
    .addUniqueConstraint('one_participant_per_attempt', ['issuer', 'subject', 'experiment_id', 'attempt'])
    .execute()
  await createSessionTables(db)
}

async function createSessionTables(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('sessions')
    .addColumn('session_id', 'text', (column) => column.primaryKey())
    .addColumn('participant_id', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('last_activity_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('ended_at', 'bigint')
    .addColumn('outcome', 'text')
    .addColumn('completion_code', 'text')
    .addColumn('redirect_url', 'text')
    .addColumn('final_state', 'text')
    .addColumn('final_state_unknown', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('claimed_events', 'bigint')
    .addColumn('claimed_duration', 'bigint')
    .addColumn('missing_events', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema.createIndex('sessions_by_participant').on('sessions').column('participant_id').execute()
  await db.schema.createIndex('sessions_by_expiry').on('sessions').columns(['status', 'expires_at']).execute()
  await db.schema
    .createTable('session_origins')
    .addColumn('session_id', 'text', (column) => column.primaryKey())
    .addColumn('ip_address', 'text', (column) => column.notNull())
    .addColumn('user_agent', 'text', (column) => column.notNull())
    .addColumn('metadata', 'text', (column) => column.notNull())
    .execute()
}

async function createEventTables(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('event_streams')
    .addColumn('session_id', 'text', (column) => column.primaryKey())
    .addColumn('last_seq', 'integer', (column) => column.notNull())
    .addColumn('sealed', 'integer', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('event_batches')
    .addColumn('session_id', 'text', (column) => column.notNull())
    .addColumn('idempotency_key', 'text', (column) => column.notNull())
    .addColumn('body_hash', 'text', (column) => column.notNull())
    .addColumn('recorded', 'integer', (column) => column.notNull())
    .addColumn('received_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('event_batches_key', ['session_id', 'idempotency_key'])
    .execute()
  await db.schema
    .createTable('events')
    .addColumn('session_id', 'text', (column) => column.notNull())
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
    .addPrimaryKeyConstraint('events_key', ['session_id', 'seq'])
    .execute()
  await db.schema
    .createIndex('events_by_id')
    .unique()
    .on('events')
    .columns(['session_id', 'event_id'])
    .where('event_id' as never, 'is not', null)
    .execute()
}
