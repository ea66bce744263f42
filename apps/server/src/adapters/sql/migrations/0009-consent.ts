import type { Kysely } from 'kysely'

/** R38. People who joined earlier need no consent: nobody recorded what they had agreed to. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .alterTable('participants')
    .addColumn('consent_required', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema.alterTable('participants').addColumn('consented_at', 'bigint').execute()
}
