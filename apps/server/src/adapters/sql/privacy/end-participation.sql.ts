import type { PrivacyStore } from '../../../modules/privacy/privacy.store.ts'
import { lockParticipants } from '../locks.sql.ts'
import { recountAssignments } from '../rooms/assignment-counts.sql.ts'
import { endSessions } from '../sessions/session-end.sql.ts'
import type { Sql } from '../tables.ts'
import { roomsOf } from './rooms-of-person.sql.ts'

/**
 * From here on no client of theirs can store anything. Whoever is only forgotten was removed by nobody (R92): they are
 * somebody who does not come back. Without consent, whoever opens their room lets them go (RM97), which needs no
 * cooperation of the instance that holds it.
 */
export async function endParticipation(
  { engine, db }: Sql,
  { participantId, now, withdraws }: Parameters<PrivacyStore['endParticipation']>[0],
): Promise<string[]> {
  return await db.transaction().execute(async (db) => {
    const tx: Sql = { engine, db }
    await lockParticipants(tx, [participantId])
    if (withdraws) await withdraw(tx, participantId, now)
    else await endSessions.expireNow(tx, participantId, now)
    const rows = await db
      .selectFrom('sessions')
      .select('session_id')
      .where('participant_id', '=', participantId)
      .execute()
    return rows.map(({ session_id }) => session_id)
  })
}

async function withdraw(tx: Sql, participantId: string, now: number): Promise<void> {
  await endSessions.supersede(tx, [participantId], now)
  await tx.db
    .updateTable('participants')
    .set({ consent_required: 1, consented_at: null })
    .where('participant_id', '=', participantId)
    .where('completed_at', 'is', null)
    .execute()
  await fenceOwnRooms(tx, participantId)
  await recountAssignments(tx, [participantId])
}

/**
 * Whoever holds a room that nobody else is or was in writes nothing from here on. A snapshot is stored without a lock on the room,
 * so one that began while the room was being deleted would stay. Rooms with others are claimed before they are rewritten.
 */
async function fenceOwnRooms({ db }: Sql, participantId: string): Promise<void> {
  const own = (await roomsOf(db, participantId)).filter(({ others }) => others.length === 0)
  for (const roomId of own.map((room) => room.roomId).toSorted())
    await db
      .updateTable('rooms')
      .set((eb) => ({ epoch: eb('epoch', '+', 1) }))
      .where('room_id', '=', roomId)
      .execute()
}
