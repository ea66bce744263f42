import { sql } from 'kysely'
import { hideSessionIds } from '../../../kernel/ids.ts'
import type { ChangePosition, ChangesPage } from '../../../modules/exports/exports.store.ts'
import type { Sql } from '../tables.ts'

/** A row may hold a quarter of a megabyte. */
const changesPerPage = 100

/** Whoever kept the record of the room at the time has the row, so all of its members' streams are read. */
export async function roomChanges(
  { db }: Sql,
  roomId: string,
  after: ChangePosition | null,
): Promise<ChangesPage> {
  const { roomSeq, seq, streamNo } = after ?? { roomSeq: 0, seq: 0, streamNo: 0 }
  const { rows } = await sql<ChangePosition & { data: string }>`
    with streams as (
      select t.stream_no from participants p
      join sessions s on s.participant_id = p.participant_id
      join event_streams t on t.session_id = s.session_id
      where p.room_id = ${roomId}
      union all
      select t.stream_no from agent_participants a join event_streams t on t.session_id = a.session_id
      where a.room_id = ${roomId}
    )
    select e.room_seq as ${sql.ref('roomSeq')}, e.seq, e.stream_no as ${sql.ref('streamNo')}, e.data
    from streams join events e on e.stream_no = streams.stream_no
    where e.type = 'variables_changed' and e.data like '{"scope":"room"%'
      and (e.room_seq, e.seq, e.stream_no) > (${roomSeq}, ${seq}, ${streamNo})
    order by e.room_seq, e.seq, e.stream_no limit ${changesPerPage}`.execute(db)
  const last = rows.at(-1)
  const next =
    last && rows.length === changesPerPage
      ? { roomSeq: last.roomSeq, seq: last.seq, streamNo: last.streamNo }
      : null
  return { changes: rows.map(({ data }) => hideSessionIds(data)), next }
}
