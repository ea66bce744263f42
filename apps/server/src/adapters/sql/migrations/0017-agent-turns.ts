import type { Kysely } from 'kysely'

/** Agents in rooms, their calls of models, and pilots, in which agents take every seat. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('rooms').addColumn('personas', 'text').execute()
  await db.schema
    .createTable('agent_participants')
    .addColumn('participant_id', 'text', (column) => column.primaryKey())
    .addColumn('session_id', 'text', (column) => column.notNull())
    .addColumn('experiment_id', 'text', (column) => column.notNull())
    .addColumn('room_id', 'text', (column) => column.notNull())
    .addColumn('agent_id', 'text', (column) => column.notNull())
    .addColumn('role', 'text')
    .addColumn('alias', 'text', (column) => column.notNull())
    .addColumn('seated_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('agent_participants_in_order')
    .on('agent_participants')
    .columns(['experiment_id', 'seated_at', 'participant_id'])
    .execute()
  await db.schema
    .createIndex('agent_participants_by_room')
    .on('agent_participants')
    .column('room_id')
    .execute()
  await db.schema
    .createTable('agent_calls')
    .addColumn('call_id', 'text', (column) => column.primaryKey())
    .addColumn('experiment_id', 'text', (column) => column.notNull())
    .addColumn('room_id', 'text', (column) => column.notNull())
    .addColumn('participant_id', 'text', (column) => column.notNull())
    .addColumn('agent_id', 'text', (column) => column.notNull())
    .addColumn('credential_id', 'text')
    .addColumn('turn_id', 'text', (column) => column.notNull())
    .addColumn('cause', 'text', (column) => column.notNull())
    .addColumn('attempt', 'integer', (column) => column.notNull())
    .addColumn('outcome', 'text', (column) => column.notNull())
    .addColumn('asked_at', 'bigint', (column) => column.notNull())
    .addColumn('latency_ms', 'integer')
    .addColumn('prompt_tokens', 'integer')
    .addColumn('completion_tokens', 'integer')
    .addColumn('money', 'double precision', (column) => column.notNull())
    .addColumn('prompt_hash', 'text')
    .addColumn('request', 'text')
    .addColumn('reply', 'text')
    .addColumn('error', 'text')
    .execute()
  await db.schema
    .createIndex('agent_calls_in_order')
    .on('agent_calls')
    .columns(['experiment_id', 'asked_at', 'call_id'])
    .execute()
  await db.schema
    .createIndex('agent_calls_by_room')
    .on('agent_calls')
    .columns(['room_id', 'asked_at', 'call_id'])
    .execute()
  await db.schema
    .createIndex('agent_calls_by_credential')
    .on('agent_calls')
    .columns(['credential_id', 'asked_at'])
    .execute()
}
