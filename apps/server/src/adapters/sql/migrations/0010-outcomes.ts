import { type Kysely, sql } from 'kysely'

/**
 * The outcome of a participation, and whether it takes up one of the experiment's places. For participations already
 * completed, both follow from the outcome of their session.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('participants').addColumn('outcome', 'text').execute()
  await db.schema
    .alterTable('participants')
    .addColumn('holds_place', 'integer', (column) => column.notNull().defaultTo(1))
    .execute()
  await sql`update participants set outcome = (
      select max(s.outcome) from sessions s
      where s.participant_id = participants.participant_id and s.status = 'completed')
    where completed_at is not null`.execute(db)
  await sql`update participants set holds_place = 0
    where outcome in ('NO_CONSENT', 'SCREENED_OUT', 'NOT_MATCHED')`.execute(db)
  await sql`update experiments set participant_count = (
      select count(*) from participants p
      where p.experiment_id = experiments.experiment_id and p.holds_place = 1)
    where capacity is not null`.execute(db)
}
