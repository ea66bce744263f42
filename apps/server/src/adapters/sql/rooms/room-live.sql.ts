import { sql } from 'kysely'
import type { LoggedAction, LogPlace, OpenRoom } from '../../../modules/rooms/rooms.store.ts'
import { rowSet } from '../row-set.ts'
import type { Sql } from '../tables.ts'

/** Read every second while somebody watches, so it counts nobody: an index for the rooms, and one for the end of each log. */
export async function openRooms({ db }: Sql, experimentId: string, limit: number): Promise<OpenRoom[]> {
  const rows = await db
    .selectFrom('rooms as r')
    .select(['r.room_id', 'r.revision', 'r.stage', 'r.epoch', 'r.ordinal', 'r.resting_since', 'r.paused_at'])
    .select(({ selectFrom }) =>
      selectFrom('room_actions as a')
        .select(({ fn }) => fn.max('a.seq').as('seq'))
        .whereRef('a.room_id', '=', 'r.room_id')
        .as('last_seq'),
    )
    .where('r.experiment_id', '=', experimentId)
    .where('r.closed_at', 'is', null)
    .orderBy('r.created_at', 'desc')
    .orderBy('r.room_id', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    roomId: row.room_id,
    revision: row.revision,
    stage: row.stage,
    epoch: row.epoch,
    ordinal: row.ordinal,
    restingSince: row.resting_since,
    pausedAt: row.paused_at,
    lastSeq: row.last_seq ?? 0,
  }))
}

/** What people say and answer, agents too. The rest of a log is comings, goings and the clock. */
const wordTypes = ['send_message', 'submit_response', 'agent_turn', 'announce']

export const createWordReader =
  ({ engine, db }: Sql) =>
  async (places: LogPlace[], limit: number): Promise<(LoggedAction & { roomId: string })[]> => {
    const columns = { room_id: 'text', seq: 'integer' } as const
    const rows = places.map(({ roomId, seq }) => ({ room_id: roomId, seq }))
    const isWord = sql.join(
      wordTypes.map((type) => sql`a.action like ${sql.lit(`%"type":"${type}"%`)}`),
      sql` or `,
    )
    const found = await sql<LoggedAction & { roomId: string }>`
      select a.room_id as "roomId", a.seq, a.at, a.action
      from ${rowSet(engine, 'place', columns, rows)}
      join room_actions a on a.room_id = place.room_id and a.seq > place.seq
      where ${isWord}
      order by a.at desc, a.room_id, a.seq desc limit ${sql.lit(limit)}`.execute(db)
    return found.rows
  }
