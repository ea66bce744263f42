import { stays } from '../rooms/stays.sql.ts'
import type { Sql } from '../tables.ts'

export interface RoomOfPerson {
  roomId: string
  /** R68: which of their rooms it is, counted from 0. */
  stay: number
  /** Those who are or were in it with them, in the order of their ids. */
  others: string[]
}

/** All that somebody has been in, in order. */
export async function roomsOf(db: Sql['db'], participantId: string): Promise<RoomOfPerson[]> {
  const rooms = await db
    .selectFrom(stays.as('s'))
    .select(['s.room_id', 's.stay'])
    .where('s.participant_id', '=', participantId)
    .orderBy('s.stay')
    .execute()
  if (rooms.length === 0) return []
  const others = await db
    .selectFrom(stays.as('s'))
    .select(['s.room_id', 's.participant_id'])
    .where(
      's.room_id',
      'in',
      rooms.map(({ room_id }) => room_id),
    )
    .where('s.participant_id', '<>', participantId)
    .orderBy('s.participant_id')
    .execute()
  return rooms.map(({ room_id: roomId, stay }) => ({
    roomId,
    stay,
    others: others.filter((row) => row.room_id === roomId).map((row) => row.participant_id),
  }))
}
