import type { RoomEvent } from '@atrium/contract'
import { deliveriesOf, isStillIn } from '../model/room-audience.ts'
import type { RoomState } from '../model/room-state.ts'
import type { Emitted } from '../model/turn.ts'

/** What a participant hears of one action when their socket is there all the time. */
export function heardOf(
  emitted: readonly Emitted[],
  { before, after }: { before: RoomState; after: RoomState },
  participantId: string,
): RoomEvent[] {
  const seats = before.seats.length > 0 ? before.seats : after.seats
  let isIn = seats.some((seat) => seat.participantId === participantId && isStillIn(seat))
  return deliveriesOf(emitted).flatMap(({ event, isForRoom, participantIds }) => {
    const isNamed = participantIds.includes(participantId)
    const isHeard = isNamed || (isForRoom && isIn)
    if (event.type === 'finished' && isNamed) isIn = false
    return isHeard ? [event] : []
  })
}
