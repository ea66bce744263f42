import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely'

/**
 * The figures of experiments (ADR 34). Nothing is counted here: a database with ten million events must not keep a server
 * from starting. What is there already is put on the list of what is still to be counted, which servers work off.
 */
export async function up(db: Kysely<never>, engine: 'sqlite' | 'postgres'): Promise<void> {
  if (engine === 'postgres') await lockWithoutDeadlock(db)
  await createDeltas(db, engine)
  await createFigures(db)
  await db.schema.alterTable('event_streams').addColumn('experiment_id', 'text').execute()
  await db.schema.alterTable('event_streams').addColumn('kind', 'text').execute()
  await db.schema
    .alterTable('event_streams')
    .addColumn('counted_seq', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await listWhatIsThere(db)
  await (engine === 'postgres' ? createPostgresTriggers(db) : createSqliteTriggers(db))
}

/**
 * Servers of the previous release write meanwhile, and lock these tables in different orders. Whoever waits for one of
 * them while we hold another waits for ever, unless we let go of all of them and begin again.
 */
async function lockWithoutDeadlock(db: Kysely<never>): Promise<void> {
  await sql`set local lock_timeout = '300ms'`.execute(db)
  await sql
    .raw(`do $$ begin
      loop
        begin
          lock table participants, sessions, event_streams in access exclusive mode;
          exit;
        exception when lock_not_available then
          perform pg_sleep(0.05);
        end;
      end loop;
    end $$`)
    .execute(db)
  await sql`set local lock_timeout = 0`.execute(db)
}

async function createDeltas(db: Kysely<never>, engine: 'sqlite' | 'postgres'): Promise<void> {
  // SQLite numbers the rows of such a column by itself. That numbers of removed rows are given again does no harm.
  const countedUp = (column: ColumnDefinitionBuilder) =>
    engine === 'postgres' ? column.generatedByDefaultAsIdentity() : column
  await db.schema
    .createTable('figure_deltas')
    .addColumn('delta_no', engine === 'postgres' ? 'bigint' : 'integer', (column) =>
      countedUp(column.primaryKey()),
    )
    .addColumn('experiment_id', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('count', 'integer', (column) => column.notNull())
    .addColumn('revision', 'integer')
    .addColumn('outcome', 'text')
    .execute()
  await db.schema
    .createTable('uncounted_streams')
    .addColumn('stream_no', 'integer', (column) => column.primaryKey())
    .execute()
}

async function createFigures(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('activity_counts')
    .addColumn('experiment_id', 'text', (column) => column.notNull())
    .addColumn('resolution_ms', 'integer', (column) => column.notNull())
    .addColumn('starts_at', 'bigint', (column) => column.notNull())
    .addColumn('joined', 'integer', (column) => column.notNull())
    .addColumn('completed', 'integer', (column) => column.notNull())
    .addColumn('events', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('activity_counts_key', ['experiment_id', 'resolution_ms', 'starts_at'])
    .execute()
  await db.schema
    .createIndex('activity_counts_by_age')
    .on('activity_counts')
    .columns(['resolution_ms', 'starts_at'])
    .execute()
  await db.schema
    .createTable('outcome_counts')
    .addColumn('experiment_id', 'text', (column) => column.notNull())
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('is_decided', 'integer', (column) => column.notNull())
    .addColumn('outcome', 'text', (column) => column.notNull())
    .addColumn('people', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('outcome_counts_key', ['experiment_id', 'revision', 'is_decided', 'outcome'])
    .execute()
  await db.schema
    .createTable('experiment_totals')
    .addColumn('experiment_id', 'text', (column) => column.primaryKey())
    .addColumn('events', 'bigint', (column) => column.notNull())
    .addColumn('sessions_with_gaps', 'integer', (column) => column.notNull())
    .addColumn('last_event_at', 'bigint')
    .execute()
}

async function listWhatIsThere(db: Kysely<never>): Promise<void> {
  await sql`insert into uncounted_streams (stream_no)
    select stream_no from event_streams where last_seq > 0 order by stream_no`.execute(db)
  await sql`insert into figure_deltas (experiment_id, kind, at, count, revision, outcome)
    select experiment_id, 'joined', joined_at, 1, revision, outcome from participants
    order by experiment_id, joined_at`.execute(db)
  await sql`insert into figure_deltas (experiment_id, kind, at, count)
    select p.experiment_id, 'completed', coalesce(s.ended_at, 0), 1
    from sessions s join participants p on p.participant_id = s.participant_id
    where s.status = 'completed'`.execute(db)
  await sql`insert into figure_deltas (experiment_id, kind, at, count)
    select p.experiment_id, 'gap', coalesce(s.ended_at, 0), 1
    from sessions s join participants p on p.participant_id = s.participant_id
    where s.missing_events > 0`.execute(db)
}

/*
 * Triggers, because servers of the previous release, which know nothing of figures, write beside ours during an update.
 * They only note, and refuse nothing. Joins and completions are rare, so ours rely on them too. Events are not, so ours
 * count them in the statement that they send anyway, and say so by `counted_seq`.
 */

const joined = `insert into figure_deltas (experiment_id, kind, at, count, revision, outcome)
  values (new.experiment_id, 'joined', new.joined_at, 1, new.revision, new.outcome);`

const decided = `insert into figure_deltas (experiment_id, kind, at, count, revision, outcome)
  values (new.experiment_id, 'outcome', new.joined_at, -1, old.revision, old.outcome),
    (new.experiment_id, 'outcome', new.joined_at, 1, new.revision, new.outcome);`

const completed = `insert into figure_deltas (experiment_id, kind, at, count)
  select p.experiment_id, 'completed', coalesce(new.ended_at, 0), 1
  from participants p where p.participant_id = new.participant_id;
  insert into figure_deltas (experiment_id, kind, at, count)
  select p.experiment_id, 'gap', coalesce(new.ended_at, 0), 1
  from participants p where p.participant_id = new.participant_id and new.missing_events > 0;`

const isCompleted = "new.status = 'completed' and old.status <> 'completed'"

const triggers = (isChanged: string) => [
  { name: 'note_join', when: 'after insert on participants', only: '1 = 1', does: joined },
  { name: 'note_outcome', when: 'after update of outcome on participants', only: isChanged, does: decided },
  { name: 'note_completion', when: 'after update of status on sessions', only: isCompleted, does: completed },
]

/** Only on PostgreSQL: nobody else writes to SQLite while a server runs, so that it looks for such streams when it starts. */
const uncounted = {
  name: 'note_uncounted',
  when: 'after update of last_seq on event_streams',
  only: 'new.last_seq > old.last_seq and new.counted_seq = old.counted_seq',
  does: `insert into uncounted_streams (stream_no) values (new.stream_no) on conflict do nothing;`,
}

async function createPostgresTriggers(db: Kysely<never>): Promise<void> {
  const all = [...triggers('new.outcome is distinct from old.outcome'), uncounted]
  for (const { name, when, only, does } of all) {
    await sql
      .raw(`create or replace function ${name}() returns trigger language plpgsql as
        $$ begin ${does} return null; end $$`)
      .execute(db)
    await sql
      .raw(`create trigger ${name} ${when} for each row when (${only}) execute function ${name}()`)
      .execute(db)
  }
}

async function createSqliteTriggers(db: Kysely<never>): Promise<void> {
  for (const { name, when, only, does } of triggers('new.outcome is not old.outcome'))
    await sql.raw(`create trigger ${name} ${when} for each row when ${only} begin ${does} end`).execute(db)
}
