import type { Kysely } from 'kysely'

/**
 * When, where and why people stopped who did not complete, and how many were deleted, which nothing else remembers. Of
 * people who stopped before, the outcome tells why.
 */
export async function up(db: Kysely<never>): Promise<void> {
  for (const [name, type] of [
    ['dropped_at', 'bigint'],
    ['dropped_state', 'text'],
    ['drop_reason', 'text'],
  ] as const)
    await db.schema.alterTable('participants').addColumn(name, type).execute()
  await db.schema
    .createTable('deleted_people')
    .addColumn('experiment_id', 'text', (column) => column.notNull())
    .addColumn('condition', 'text', (column) => column.notNull())
    .addColumn('people', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('deleted_people_key', ['experiment_id', 'condition'])
    .execute()
}
