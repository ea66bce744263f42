import { sql } from 'kysely'
import type { Sql } from '../tables.ts'

/** Takes what is counted of these streams out of the figures (ADR 34). Only under their locks, before they are deleted. */
export async function uncountStreams({ db }: Sql, streams: readonly number[]): Promise<void> {
  const theirs = sql.join(streams)
  await sql`insert into figure_deltas (experiment_id, kind, at, count)
    select t.experiment_id, case t.kind when 'agents' then 'agent_events' else 'events' end,
      max(e.received_at), -count(*)
    from event_streams t join events e on e.stream_no = t.stream_no and e.seq <= t.counted_seq
    where t.stream_no in (${theirs}) and t.kind in ('people', 'agents')
    group by t.experiment_id, t.kind, e.received_at / 1000`.execute(db)
  await sql`delete from uncounted_streams where stream_no in (${theirs})`.execute(db)
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
