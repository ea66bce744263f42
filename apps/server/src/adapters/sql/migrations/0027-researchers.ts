import type { Kysely } from 'kysely'

/** Researchers and administrators who have used the platform, and with which role. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('researchers')
    .addColumn('person', 'text', (column) => column.primaryKey())
    .addColumn('email', 'text')
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('role_from', 'text', (column) => column.notNull())
    .addColumn('first_seen_at', 'bigint', (column) => column.notNull())
    .addColumn('seen_at', 'bigint', (column) => column.notNull())
    .execute()
}
