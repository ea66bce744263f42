import type { RoomState, Seat } from './room-state.ts'

type InNetwork = Pick<Seat, 'participantId' | 'place'>

export const isNeighbour = (
  { network }: Pick<RoomState, 'network'>,
  { place }: Pick<Seat, 'place'>,
  other: Pick<Seat, 'place'>,
): boolean =>
  place !== undefined && other.place !== undefined && (network?.[place]?.includes(other.place) ?? false)

/** RM249: whether somebody learns of another at all: of everyone where there is no network, of neighbours where there is. */
export const perceives = (room: Pick<RoomState, 'network'>, reader: InNetwork, other: InNetwork): boolean =>
  !room.network || reader.participantId === other.participantId || isNeighbour(room, reader, other)

/** Who sits at each place now: not those whose seat somebody else has taken over. Found once for many readers. */
export function sittersOf({ seats }: Pick<RoomState, 'seats'>): ReadonlyMap<number, Seat> {
  const found = new Map<number, Seat>()
  for (const seat of seats)
    if (seat.place !== undefined && seat.replacedBy === undefined) found.set(seat.place, seat)
  return found
}

/** Of somebody in the room, in the order of places. */
export const neighboursOf = (
  { network }: Pick<RoomState, 'network'>,
  { place }: Pick<Seat, 'place'>,
  sitters: ReadonlyMap<number, Seat>,
): Seat[] =>
  (place === undefined ? [] : (network?.[place] ?? [])).flatMap((other) => sitters.get(other) ?? [])
