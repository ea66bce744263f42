import { type Kysely, sql } from 'kysely'

/**
 * Whether somebody was dropped from their room, and whether what is noted of the cells in which they count may be wrong.
 * Triggers, because servers of the previous release, which know nothing of cells, end participations beside ours.
 */
export async function up(db: Kysely<never>, engine: 'sqlite' | 'postgres'): Promise<void> {
  for (const name of ['is_dropped', 'is_stale'])
    await db.schema
      .alterTable('assignments')
      .addColumn(name, 'integer', (column) => column.notNull().defaultTo(sql`0`))
      .execute()
  await sql`update assignments set is_stale = 1`.execute(db)
  await sql`create index stale_assignments on assignments (experiment_id) where is_stale = 1`.execute(db)
  for (const trigger of triggers)
    await (engine === 'postgres' ? createOnPostgres(db, trigger) : createOnSqlite(db, trigger))
}

const triggers = [
  { name: 'note_place', when: 'after update of outcome, holds_place on participants' },
  { name: 'note_session', when: 'after insert on sessions' },
  { name: 'note_session_end', when: 'after update of status on sessions' },
]

type Trigger = (typeof triggers)[number]

const isStaleNow = `update assignments set is_stale = 1
  where participant_id = new.participant_id and is_stale = 0;`

async function createOnPostgres(db: Kysely<never>, { name, when }: Trigger): Promise<void> {
  await sql
    .raw(`create or replace function ${name}() returns trigger language plpgsql as
      $$ begin ${isStaleNow} return null; end $$`)
    .execute(db)
  await sql.raw(`create trigger ${name} ${when} for each row execute function ${name}()`).execute(db)
}

const createOnSqlite = async (db: Kysely<never>, { name, when }: Trigger): Promise<unknown> =>
  await sql.raw(`create trigger ${name} ${when} for each row begin ${isStaleNow} end`).execute(db)
