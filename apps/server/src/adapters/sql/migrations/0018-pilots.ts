import type { Kysely } from 'kysely'

/** Pilots as a whole, and indexes for the figures of agents, which hold all that is summed up. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('pilots')
    .addColumn('pilot_id', 'text', (column) => column.primaryKey())
    .addColumn('experiment_id', 'text', (column) => column.notNull())
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('agents_per_room', 'integer', (column) => column.notNull())
    .addColumn('budget', 'text')
    .execute()
  await db.schema
    .createIndex('pilots_in_order')
    .on('pilots')
    .columns(['experiment_id', 'created_at', 'pilot_id'])
    .execute()
  await db.schema.alterTable('rooms').addColumn('pilot_id', 'text').execute()
  await db.schema.alterTable('rooms').addColumn('pilot_place', 'integer').execute()
  await db.schema
    .createIndex('rooms_of_pilots')
    .on('rooms')
    .columns(['pilot_id', 'pilot_place'])
    .where('pilot_id' as never, 'is not', null)
    .execute()
  await db.schema
    .createIndex('rooms_of_pilots_by_experiment')
    .on('rooms')
    .columns(['experiment_id', 'room_id'])
    .where('pilot_id' as never, 'is not', null)
    .execute()
  await db.schema
    .createIndex('rooms_of_pilots_to_open')
    .on('rooms')
    .columns(['created_at', 'pilot_place'])
    .where('pilot_id' as never, 'is not', null)
    .where('closed_at' as never, 'is', null)
    .where('resting_since' as never, 'is not', null)
    .execute()
  const summedUp = ['outcome', 'latency_ms', 'prompt_tokens', 'completion_tokens', 'money']
  await db.schema
    .createIndex('agent_calls_of_experiment')
    .on('agent_calls')
    .columns(['experiment_id', 'asked_at', 'room_id', 'agent_id', ...summedUp])
    .execute()
  await db.schema.dropIndex('agent_calls_by_credential').execute()
  await db.schema
    .createIndex('agent_calls_of_credential')
    .on('agent_calls')
    .columns(['credential_id', 'asked_at', ...summedUp])
    .execute()
  await db.schema
    .createIndex('agent_calls_failed')
    .on('agent_calls')
    .columns(['experiment_id', 'agent_id', 'asked_at'])
    .where('error' as never, 'is not', null)
    .execute()
  await db.schema
    .createIndex('agent_calls_failed_with_credential')
    .on('agent_calls')
    .columns(['credential_id', 'asked_at'])
    .where('error' as never, 'is not', null)
    .execute()
}
