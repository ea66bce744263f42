import { noteUncounted } from '../figures/uncount.sql.ts'
import type { Sql, Tables } from '../tables.ts'
import { type RoomOfPerson, roomsOf } from './rooms-of-person.sql.ts'

interface RoomChanges {
  scope: 'room'
  changes: { cause: string }[]
}

/**
 * R54: what changed in the variables of a room is recorded once, with one of its people. When that one is deleted, somebody
 * else, whose streams are locked, takes the record over, except for what the person had answered.
 */
export async function handOverRoomRecord(
  { engine, db }: Sql,
  streams: readonly number[],
  { roomId, stay, others: [heirId] }: RoomOfPerson,
): Promise<void> {
  if (streams.length === 0 || heirId === undefined) return
  const rows = await db
    .selectFrom('events')
    .selectAll()
    .where('stream_no', 'in', streams)
    .where('type', '=', 'variables_changed')
    .where('data', 'like', '{"scope":"room"%')
    .where('room_seq', 'is not', null)
    .where(({ fn, val }) => fn.coalesce('stay', val(0)), '=', stay)
    .orderBy('room_seq')
    .orderBy('seq')
    .execute()
  const kept = rows.flatMap(withoutAnswers)
  if (kept.length === 0) return
  const heir = await db
    .selectFrom('event_streams as t')
    .innerJoin('sessions as s', 's.session_id', 't.session_id')
    .select(['t.stream_no', 't.last_seq'])
    .where('s.participant_id', '=', heirId)
    .orderBy('s.created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!heir) return
  const theirs = (await roomsOf(db, heirId)).find((room) => room.roomId === roomId)?.stay ?? 0
  for (const [index, row] of kept.entries())
    await db
      .insertInto('events')
      .values({
        ...row,
        ...{ stream_no: heir.stream_no, seq: heir.last_seq + 1 + index, event_id: null },
        // R68: where it is not their first room, as `numbered` writes it.
        stay: theirs === 0 ? null : theirs,
      })
      .execute()
  await db
    .updateTable('event_streams')
    .set({ last_seq: heir.last_seq + kept.length })
    .where('stream_no', '=', heir.stream_no)
    .execute()
  await noteUncounted({ engine, db }, heir.stream_no)
}

function withoutAnswers(row: Tables['events']): Tables['events'][] {
  const data: RoomChanges = JSON.parse(row.data)
  const changes = data.changes.filter(({ cause }) => cause !== 'saveTo')
  return changes.length === 0 ? [] : [{ ...row, data: JSON.stringify({ ...data, changes }) }]
}
