import type { Kysely } from 'kysely'

/** Tokens for Prolific, the studies created with them, and which bonuses were paid. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('prolific_tokens')
    .addColumn('experiment_id', 'text', (column) => column.primaryKey())
    .addColumn('sealed_token', 'text', (column) => column.notNull())
    .addColumn('token_hint', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('prolific_studies')
    .addColumn('study_id', 'text', (column) => column.notNull())
    .addColumn('experiment_id', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('prolific_studies_key', ['experiment_id', 'study_id'])
    .execute()
  await db.schema
    .createTable('prolific_bonuses')
    .addColumn('submission_id', 'text', (column) => column.primaryKey())
    .addColumn('study_id', 'text', (column) => column.notNull())
    .addColumn('amount', 'bigint', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('payment_id', 'text')
    .addColumn('changed_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('prolific_bonuses_by_study')
    .on('prolific_bonuses')
    .columns(['study_id', 'submission_id'])
    .execute()
}
