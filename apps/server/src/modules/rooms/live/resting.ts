import { isOpen, type RoomState } from '../model/room-state.ts'

/** What was asked of a room at the moment in which it was put to rest: to be asked again of whoever has it then. */
export class RoomRested extends Error {}

/** RM75: nobody who may still take part is connected, and every grace is over. */
export const isAtRest = ({ status, seats }: RoomState): boolean =>
  status.kind !== 'ended' &&
  seats.every((seat) => !isOpen(seat) || (seat.presence.kind === 'away' && seat.presence.graceUntil === null))
