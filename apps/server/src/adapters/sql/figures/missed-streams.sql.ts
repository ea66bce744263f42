import { sql } from 'kysely'
import type { Sql } from '../tables.ts'

/** An agent's stream has the name `agent:<participant_id>`; only the id is indexed. */
export const isStreamOf = sql`a.participant_id = substr(t.session_id, 7) and a.session_id = t.session_id`

export interface MissedStream {
  stream_no: number
  last_seq: number
  counted_seq: number
  /** When the last event was received. */
  last_at: number
}

/** Streams of an experiment's people with events that are in no figures yet. Usually there are none at all. */
export async function missedStreamsOf({ db }: Sql, experimentId: string): Promise<MissedStream[]> {
  if (!(await areAnyMissed(db))) return []
  const { rows } = await sql<MissedStream>`
    select t.stream_no, t.last_seq, t.counted_seq, e.received_at as last_at
    from uncounted_streams u
    join event_streams t on t.stream_no = u.stream_no
    join sessions s on s.session_id = t.session_id
    join participants p on p.participant_id = s.participant_id
    join events e on e.stream_no = t.stream_no and e.seq = t.last_seq
    where p.experiment_id = ${experimentId}`.execute(db)
  return rows
}

/** Number of uncounted events of the agents that play with people. */
export async function missedOfAgents({ db }: Sql, experimentId: string): Promise<number> {
  if (!(await areAnyMissed(db))) return 0
  const { rows } = await sql<{ events: number | null }>`
    select sum(t.last_seq - t.counted_seq) as events
    from uncounted_streams u
    join event_streams t on t.stream_no = u.stream_no
    join agent_participants a on ${isStreamOf}
    join rooms r on r.room_id = a.room_id
    where a.experiment_id = ${experimentId} and r.pilot_id is null`.execute(db)
  return rows[0]?.events ?? 0
}

/**
 * Puts streams on the list that a server without figures has written to while nobody could notice: on SQLite, which no other
 * server reaches while one runs, and before a copy was made of it.
 */
export const listMissedStreams = `insert into uncounted_streams (stream_no)
  select stream_no from event_streams where counted_seq < last_seq order by stream_no on conflict do nothing`

/** Asked first, because the planner may otherwise begin with the participants, of whom there are many. */
const areAnyMissed = async (db: Sql['db']): Promise<boolean> =>
  (await db.selectFrom('uncounted_streams').select('stream_no').limit(1).executeTakeFirst()) !== undefined
