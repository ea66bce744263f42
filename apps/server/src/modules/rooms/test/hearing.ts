import type { RoomEvent } from '@atrium/contract'
import { deliveriesOf, type Emitted, isListening } from '../model/room-audience.ts'
import type { RoomState } from '../model/room-state.ts'

/** The events of one action that a participant receives while their socket stays connected. */
export function heardOf(
  emitted: readonly Emitted[],
  { before, after }: { before: RoomState; after: RoomState },
  participantId: string,
): RoomEvent[] {
  let isIn = isListening(before.seats.length > 0 ? before : after, participantId)
  return deliveriesOf(emitted).flatMap(({ event, isForRoom, participantIds, leaving }) => {
    const isHeard = participantIds.includes(participantId) || (isForRoom && isIn)
    if (leaving.includes(participantId)) isIn = false
    return isHeard ? [event] : []
  })
}
