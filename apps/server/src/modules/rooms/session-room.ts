import { AppError } from '../../kernel/app-error.ts'
import type { Space } from '../../kernel/space.ts'
import { roomIdOf, type SessionRecord, type Sessions } from '../sessions/index.ts'
import type { RoomAction } from './model/room-action.ts'
import { storageNeedOf } from './model/storage-need.ts'
import type { Rooms } from './rooms.ts'

/** The room that a handshake names, if it is the session's according to the cache or to the store. */
export async function roomOfSession(
  sessions: Sessions,
  session: SessionRecord,
  named: string[],
): Promise<string> {
  const [roomId = '', ...others] = named
  if (others.some((other) => other !== roomId)) throw new AppError('SESSION_MISMATCH')
  if (roomId !== roomIdOf(session) && roomId !== roomIdOf(await sessions.readAgain(session.sessionId)))
    throw new AppError('SESSION_MISMATCH')
  return roomId
}

/** RM182: throws if the disk has too little space left for what a participant does. */
export function requireSpaceFor(action: RoomAction, space: Pick<Space, 'require'>): void {
  const need = storageNeedOf(action)
  if (need) space.require(need)
}

/** Only a new connection may claim a room; a socket left over from a room that moved would take it back. */
export async function dispatchHere(rooms: Rooms, roomId: string, action: RoomAction): Promise<number> {
  const room = await rooms.held(roomId)
  if (!room) throw new AppError('ROOM_ELSEWHERE')
  return await room.dispatch(action)
}
