import type { WholeErasure } from '../../../modules/privacy/privacy.store.ts'
import { uncountParticipant } from '../figures/uncount.sql.ts'
import { writeAudit } from '../operations.sql.ts'
import { forgetAssignments } from '../rooms/assignment-counts.sql.ts'
import { returnPlaces } from '../sessions/places.sql.ts'
import { forUpdate, type Sql } from '../tables.ts'
import { deleteStreams } from './delete-streams.sql.ts'
import { lockSessions } from './erase-from-room.sql.ts'
import { deleteRoom, redactRoom } from './erase-room.sql.ts'
import { handOverRoomRecord } from './hand-over-record.sql.ts'
import { roomsOf } from './rooms-of-person.sql.ts'

/** One transaction: nobody ever sees half a person. */
export async function eraseAll(
  { engine, db }: Sql,
  erasure: WholeErasure,
  erasureId: string,
): Promise<'erased' | 'room_changed'> {
  const { experimentId, participantId, actor, now, requestedBy, condition, room } = erasure
  return await db.transaction().execute(async (db) => {
    const tx: Sql = { engine, db }
    const person = await db
      .selectFrom('participants')
      .select('holds_place')
      .where('participant_id', '=', participantId)
      .where('experiment_id', '=', experimentId)
      .$call(forUpdate(engine))
      .executeTakeFirst()
    if (!person) return 'erased'
    const rooms = await roomsOf(db, participantId)
    const [shared, ...more] = rooms.filter(({ others }) => others.length > 0)
    const streams = await lockSessions(tx, participantId, shared?.others ?? [])
    if (shared) {
      if (more.length > 0 || room?.roomId !== shared.roomId || !(await redactRoom(tx, erasure, room)))
        return 'room_changed'
      await handOverRoomRecord(tx, streams, shared)
    }
    await deleteStreams(tx, streams)
    await deleteParticipant(tx, participantId)
    await countDeleted(tx, experimentId, condition ?? '')
    for (const { roomId, others } of rooms) if (others.length === 0) await deleteRoom(tx, roomId)
    if (person.holds_place === 1) await returnPlaces(tx, [experimentId])
    await forgetAssignments(tx, participantId)
    await db.insertInto('erasures').values({ erasure_id: erasureId, at: now }).execute()
    await writeAudit(db, {
      at: now,
      actor,
      action: 'participant_deleted',
      subject: experimentId,
      details: { requestedBy },
    })
    return 'erased'
  })
}

/** R92: otherwise nobody could say later how many people had taken part. */
const countDeleted = async ({ db }: Sql, experimentId: string, condition: string): Promise<unknown> =>
  await db
    .insertInto('deleted_people')
    .values({ experiment_id: experimentId, condition, people: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['experiment_id', 'condition'])
        .doUpdateSet((eb) => ({ people: eb('deleted_people.people', '+', 1) })),
    )
    .execute()

async function deleteParticipant(store: Sql, participantId: string): Promise<void> {
  const { db } = store
  await uncountParticipant(store, participantId)
  const theirs = db.selectFrom('sessions').select('session_id').where('participant_id', '=', participantId)
  await db.deleteFrom('session_origins').where('session_id', 'in', theirs).execute()
  await db.deleteFrom('sessions').where('participant_id', '=', participantId).execute()
  await db.deleteFrom('matches').where('participant_id', '=', participantId).execute()
  await db.deleteFrom('former_stays').where('participant_id', '=', participantId).execute()
  await db.deleteFrom('participant_identities').where('participant_id', '=', participantId).execute()
  await db.deleteFrom('participants').where('participant_id', '=', participantId).execute()
}
