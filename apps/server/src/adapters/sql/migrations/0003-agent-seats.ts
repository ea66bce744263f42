import type { Kysely } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .alterTable('rooms')
    .addColumn('agents', 'text', (column) => column.notNull().defaultTo('[]'))
    .execute()
}
