import { randomBytes } from 'node:crypto'
import { AppError } from '../../../kernel/app-error.ts'
import { readRoom } from '../live/read-room.ts'
import type { RoomRestorer } from '../live/restore-room.ts'
import { type ForgottenPerson, forgetPerson } from '../model/forget-person.ts'
import type { RewrittenRoom, RoomStore } from '../rooms.store.ts'
import { recordWithout } from './record-without.ts'

interface RewriteDeps {
  store: RoomStore
  restorer: Pick<RoomRestorer, 'restore' | 'blueprintOf'>
  podId: string
  /** What is held here is no longer what the store has. */
  readAgain(roomId: string): void
}

/**
 * R48: takes the room from whoever holds it, brings it up to date (which lets go whoever has withdrawn) and puts it to
 * rest. `keep` stores it without the person, and fails if somebody has woken it since.
 */
export async function rewriteRoom<Outcome>(
  { store, restorer, podId, readAgain }: RewriteDeps,
  roomId: string,
  person: ForgottenPerson,
  keep: (room: RewrittenRoom) => Promise<Outcome>,
): Promise<Outcome> {
  // Before the room is taken from its holder: this may take seconds, and what is added meanwhile does not.
  const read = recordWithout(store, roomId, person)
  const found = await store.find(roomId)
  if (found) await read.extend(found, await restorer.blueprintOf(found))
  const claimed = await store.claim(roomId, podId, randomBytes(12).toString('base64url'))
  if (!claimed) throw new AppError('ROOM_NOT_FOUND', { roomId })
  readAgain(roomId)
  const blueprint = await restorer.blueprintOf(claimed)
  const room = await restorer.restore(claimed, { onEmitted: () => undefined, onLost: () => undefined })
  try {
    if (room.state().status.kind !== 'ended') await room.rest()
  } finally {
    room.stop()
  }
  const { state, seq } = await readRoom(store, claimed, blueprint)
  // Whoever has held the room since may have deleted somebody else from what was read.
  const recording = claimed.epoch === (found?.epoch ?? 0) + 1 ? read : recordWithout(store, roomId, person)
  await recording.extend(claimed, blueprint)
  const kept = JSON.stringify(forgetPerson(state, person, blueprint, recording.words()))
  return await keep({ roomId, epoch: claimed.epoch, seq, state: kept, replay: recording.rows() })
}
