import type { Kysely } from 'kysely'

/** Credentials of researchers' scripts: of each key its hash only. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('api_keys')
    .addColumn('key_id', 'text', (column) => column.primaryKey())
    .addColumn('key_hash', 'text', (column) => column.notNull())
    .addColumn('issuer', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('verified_email', 'text')
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('access', 'text', (column) => column.notNull())
    .addColumn('experiments', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('last_used_at', 'bigint')
    .addColumn('expires_at', 'bigint')
    .execute()
  await db.schema
    .createIndex('api_keys_by_owner')
    .on('api_keys')
    .columns(['issuer', 'subject', 'created_at', 'key_id'])
    .execute()
  await db.schema.createIndex('api_keys_by_age').on('api_keys').columns(['created_at', 'key_id']).execute()
}
