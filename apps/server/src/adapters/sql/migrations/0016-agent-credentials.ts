import type { Kysely } from 'kysely'

/** How to reach model servers, and which revision of which experiment uses them. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('agent_credentials')
    .addColumn('credential_id', 'text', (column) => column.primaryKey())
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('base_url', 'text', (column) => column.notNull())
    .addColumn('model', 'text', (column) => column.notNull())
    .addColumn('timeout_ms', 'integer', (column) => column.notNull())
    .addColumn('sealed_key', 'text', (column) => column.notNull())
    .addColumn('key_hint', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('changed_at', 'bigint', (column) => column.notNull())
    .addColumn('last_tested_at', 'bigint')
    .addColumn('last_test', 'text')
    .addColumn('test_id', 'text')
    .addColumn('test_until', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('agent_credentials_by_owner')
    .on('agent_credentials')
    .columns(['owner', 'created_at', 'credential_id'])
    .execute()
  await db.schema
    .createIndex('agent_credentials_by_age')
    .on('agent_credentials')
    .columns(['created_at', 'credential_id'])
    .execute()
  // No reference to the credential: a draft may name one that has been deleted, and cannot recruit then.
  await db.schema
    .createTable('experiment_credentials')
    .addColumn('experiment_id', 'text', (column) => column.notNull())
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('credential_id', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('experiment_credentials_key', ['experiment_id', 'revision', 'credential_id'])
    .execute()
  await db.schema
    .createIndex('experiment_credentials_by_credential')
    .on('experiment_credentials')
    .columns(['credential_id', 'experiment_id', 'revision'])
    .execute()
}
