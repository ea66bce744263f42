import type { RoomErasure } from '../../../modules/privacy/privacy.store.ts'
import { lockOfSessions } from '../locks.sql.ts'
import { forUpdate, type Sql } from '../tables.ts'
import { redactRoom } from './erase-room.sql.ts'
import { handOverRoomRecord } from './hand-over-record.sql.ts'
import { roomsOf } from './rooms-of-person.sql.ts'

/** R68: a room that they have left behind. Each in a transaction of its own, so that no more than one of their recordings is in memory. */
export async function eraseFromRoom(
  { engine, db }: Sql,
  erasure: RoomErasure,
): Promise<'erased' | 'room_changed'> {
  const { experimentId, participantId, room } = erasure
  return await db.transaction().execute(async (db) => {
    const tx: Sql = { engine, db }
    const person = await db
      .selectFrom('participants')
      .select('room_id')
      .where('participant_id', '=', participantId)
      .where('experiment_id', '=', experimentId)
      .$call(forUpdate(engine))
      .executeTakeFirst()
    const shared = (await roomsOf(db, participantId)).find(({ roomId }) => roomId === room.roomId)
    if (!person || !shared) return 'erased'
    const streams = await lockSessions(tx, participantId, shared.others)
    if (!(await redactRoom(tx, erasure, room))) return 'room_changed'
    await handOverRoomRecord(tx, streams, shared)
    await db
      .deleteFrom('former_stays')
      .where('participant_id', '=', participantId)
      .where('room_id', '=', room.roomId)
      .execute()
    return 'erased'
  })
}

/** With the streams of whoever takes the record of the room over. Returns those of the participant. */
export async function lockSessions(
  tx: Sql,
  participantId: string,
  [heir = participantId]: readonly string[],
): Promise<number[]> {
  const rows = await tx.db
    .selectFrom('event_streams as t')
    .innerJoin('sessions as s', 's.session_id', 't.session_id')
    .select(['t.stream_no', 't.session_id', 's.participant_id'])
    .where('s.participant_id', 'in', [participantId, heir])
    .orderBy('t.session_id')
    .$call((query) => (tx.engine === 'postgres' ? query.forUpdate('t') : query))
    .execute()
  const theirs = rows.filter((row) => row.participant_id === participantId)
  await lockOfSessions(
    tx,
    'sessions',
    theirs.map(({ session_id }) => session_id),
  )
  return theirs.map(({ stream_no }) => stream_no)
}
