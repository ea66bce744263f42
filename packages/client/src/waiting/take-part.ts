import { ConsentRequired, NotJoined } from '../errors.ts'
import type { Participant } from '../participant-api.ts'
import { connectRoom, type Room, type RoomOptions } from '../room/connect-room.ts'
import { isWaitingRoom } from '../session.ts'
import { connectWaiting, type Waiting, type WaitingOptions } from './connect-waiting.ts'

export interface TakePartOptions extends Omit<RoomOptions, 'roomId'> {
  waiting?: WaitingOptions
  /** Called with the wait, so that a page can offer to leave it. Not called when there is already a room. */
  onWaiting?(waiting: Waiting): void
}

/** From `join` into the room, waiting for a group if the experiment has one. */
export async function takePart(participant: Participant, options: TakePartOptions = {}): Promise<Room> {
  const { waiting, onWaiting, ...room } = options
  if (!participant.session) throw new NotJoined()
  if (participant.needsConsent) throw new ConsentRequired()
  if (isWaitingRoom(participant.session.roomId)) {
    const wait = connectWaiting(participant, waiting)
    onWaiting?.(wait)
    await wait.assigned
  }
  return connectRoom(participant, room)
}
