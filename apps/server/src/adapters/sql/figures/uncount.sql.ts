import { sql } from 'kysely'
import { eventDeltas } from '../../../modules/experiments/figures.plan.ts'
import { negated } from '../../../modules/experiments/tallies.plan.ts'
import type { Sql } from '../tables.ts'
import { createDeltaWriter } from './deltas.sql.ts'
import { talliesReader } from './tallied-events.sql.ts'

/** Takes what is counted of these streams out of the figures (ADR 34). Only under their locks, before they are deleted. */
export async function uncountStreams(store: Sql, streams: readonly number[]): Promise<void> {
  const { db } = store
  const theirs = sql.join(streams)
  await takeOutTallies(store, streams)
  await sql`insert into figure_deltas (experiment_id, kind, at, count)
    select t.experiment_id, case t.kind when 'agents' then 'agent_events' else 'events' end,
      max(e.received_at), -count(*)
    from event_streams t join events e on e.stream_no = t.stream_no and e.seq <= t.counted_seq
    where t.stream_no in (${theirs}) and t.kind in ('people', 'agents')
    group by t.experiment_id, t.kind, e.received_at / 1000`.execute(db)
  await sql`insert into figure_deltas (experiment_id, kind, at, count, bytes)
    select experiment_id, 'bytes', 0, 0, -sum(stored_bytes + file_bytes) from event_streams
    where stream_no in (${theirs}) and kind in ('people', 'agents') group by experiment_id`.execute(db)
  await sql`delete from uncounted_streams where stream_no in (${theirs})`.execute(db)
}

/** Answers may be long, so that not all of them are read at once. */
const eventsPerStep = 5_000

async function takeOutTallies({ engine, db }: Sql, streams: readonly number[]): Promise<void> {
  const readTallies = talliesReader(engine)
  const writeDeltas = createDeltaWriter(engine)
  const counted = await db
    .selectFrom('event_streams')
    .select(['stream_no', 'experiment_id', 'counted_seq'])
    .where('stream_no', 'in', streams)
    .where('kind', '=', 'people')
    .execute()
  for (const { stream_no, experiment_id: experimentId, counted_seq } of counted) {
    if (experimentId === null) continue
    for (let seen = 0; seen < counted_seq; seen += eventsPerStep) {
      const part = { stream_no, seen, upTo: Math.min(counted_seq, seen + eventsPerStep) }
      const tallies = negated((await readTallies(db, [part])).get(stream_no) ?? [])
      if (tallies.length > 0)
        await writeDeltas(
          db,
          eventDeltas([{ experimentId, kind: 'tallies', at: 0, count: 0, tallies, bytes: 0 }]),
        )
    }
  }
}

/** The opposite of what the triggers of migration 0019 noted when this person joined and completed. */
export async function uncountParticipant({ db }: Sql, participantId: string): Promise<void> {
  await sql`insert into figure_deltas (experiment_id, kind, at, count, revision, outcome)
    select experiment_id, 'joined', joined_at, -1, revision, outcome from participants
    where participant_id = ${participantId}`.execute(db)
  for (const [kind, isCounted] of [
    ['completed', sql`s.status = 'completed'`],
    ['gap', sql`s.missing_events > 0`],
  ] as const)
    await sql`insert into figure_deltas (experiment_id, kind, at, count)
      select p.experiment_id, ${sql.lit(kind)}, coalesce(s.ended_at, 0), -1
      from sessions s join participants p on p.participant_id = s.participant_id
      where s.participant_id = ${participantId} and ${isCounted}`.execute(db)
}

/** Events were put into a stream without being counted. On PostgreSQL a trigger has noted it. */
export async function noteUncounted({ db }: Sql, streamNo: number): Promise<void> {
  await sql`insert into uncounted_streams (stream_no) values (${streamNo}) on conflict do nothing`.execute(db)
}
