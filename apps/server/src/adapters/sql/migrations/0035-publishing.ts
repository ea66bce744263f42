import type { Kysely } from 'kysely'

/** Whether a revision was published by choice. All that exist were, as far as anybody can tell. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .alterTable('experiments')
    .addColumn('is_published', 'integer', (column) => column.notNull().defaultTo(1))
    .execute()
}
