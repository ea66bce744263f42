import { type Kysely, sql } from 'kysely'

/**
 * What plots are made of (ADR 34): events by state and by response time, and joins and completions by day. Events that 0019 has
 * counted are put on its list again, so that servers count them anew, in the background, with what is new. Nobody
 * else keeps figures meanwhile: no release has 0019 without this migration.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('figure_deltas').addColumn('tallies', 'text').execute()
  await db.schema
    .createTable('event_tallies')
    .addColumn('experiment_id', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('origin', 'text', (column) => column.notNull())
    .addColumn('state_id', 'text', (column) => column.notNull())
    .addColumn('component_id', 'text', (column) => column.notNull())
    .addColumn('bucket', 'integer', (column) => column.notNull())
    .addColumn('count', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('event_tallies_key', [
      'experiment_id',
      'kind',
      'origin',
      'state_id',
      'component_id',
      'bucket',
    ])
    .execute()
  await countAnew(db)
  await countDays(db)
}

async function countAnew(db: Kysely<never>): Promise<void> {
  await sql`insert into uncounted_streams (stream_no)
    select stream_no from event_streams where counted_seq > 0 order by stream_no on conflict do nothing`.execute(
    db,
  )
  await sql`delete from figure_deltas where kind in ('events', 'agent_events')`.execute(db)
  await sql`update activity_counts set events = 0 where events <> 0`.execute(db)
  await sql`update experiment_totals set events = 0`.execute(db)
  await sql`update event_streams set counted_seq = 0 where counted_seq > 0`.execute(db)
}

/** What is among the changes is not counted here: it is added to its day when the change is. */
async function countDays(db: Kysely<never>): Promise<void> {
  await sql`insert into activity_counts (experiment_id, resolution_ms, starts_at, joined, completed, events)
    select experiment_id, 86400000, day * 86400000, sum(joined), sum(completed), 0 from (
      select experiment_id, joined_at / 86400000 as day, 1 as joined, 0 as completed from participants
      union all
      select p.experiment_id, coalesce(s.ended_at, 0) / 86400000, 0, 1
      from sessions s join participants p on p.participant_id = s.participant_id where s.status = 'completed'
      union all
      select experiment_id, at / 86400000, case kind when 'joined' then -count else 0 end,
        case kind when 'completed' then -count else 0 end
      from figure_deltas where kind in ('joined', 'completed')
    ) as counted
    group by experiment_id, day having sum(joined) <> 0 or sum(completed) <> 0`.execute(db)
}
