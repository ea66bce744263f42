import { isSpent, type Scope, spend, type Value, type Work } from '@atrium/expressions'
import { neighboursOf } from './network.ts'
import type { RoomState, Seat } from './room-state.ts'

/** What expressions read of somebody in the room, as in `self.given` or `others.role`. */
export const fieldOfMember = (seat: Seat, scope: Scope, name: string): Value => {
  if (name === 'role') return seat.role
  const value = scope.variable(name)
  return value === undefined && name === 'alias' ? seat.alias : (value ?? null)
}

interface MembersReading {
  work: Work
  ofMembers: Map<string, readonly Value[]>
  scopeOf(seat: Seat): Scope
  ofNeighbours: Map<string, Map<Seat, Value>>
  sittersNow(): ReadonlyMap<number, Seat>
}

/** Of everyone but the reader, in seat order: each value is computed once, not once for everyone who reads it. */
export function valuesOfOthers(
  room: RoomState,
  reader: Seat | null,
  name: string,
  reading: MembersReading,
): Value[] {
  const values = valuesOf(room, name, reading)
  spend(reading.work, values.length / 8)
  if (room.seats.some(({ replacedBy }) => replacedBy !== undefined))
    return values.filter((_, index) => {
      const one = room.seats[index]
      return one?.participantId !== reader?.participantId && one?.replacedBy === undefined
    })
  // Done for everyone in a large room, for each value that a text shows.
  const own = room.seats.findIndex(({ participantId }) => participantId === reader?.participantId)
  return own < 0 ? [...values] : values.toSpliced(own, 1)
}

/** RM247: of those who are joined with the reader, in the order of their places. Costs as much as there are, however large the room is. */
export function valuesOfNeighbours(
  room: RoomState,
  reader: Seat,
  name: string,
  { work, ofNeighbours, sittersNow, scopeOf }: MembersReading,
): Value[] {
  const known = ofNeighbours.get(name) ?? new Map<Seat, Value>()
  ofNeighbours.set(name, known)
  return neighboursOf(room, reader, sittersNow()).map((one) => {
    const before = known.get(one)
    spend(work, before === undefined ? 1 : 1 / 8)
    if (before !== undefined || isSpent(work)) return before ?? null
    // As above: what reads itself ends here.
    known.set(one, null)
    const value = fieldOfMember(one, scopeOf(one), name)
    known.set(one, value)
    return value
  })
}

/** Of one of them, found with those of all. */
export const valueOfMember = (room: RoomState, member: Seat, name: string, reading: MembersReading): Value =>
  valuesOf(room, name, reading)[room.seats.indexOf(member)] ?? null

function valuesOf(
  { seats }: RoomState,
  name: string,
  { work, ofMembers, scopeOf }: MembersReading,
): readonly Value[] {
  const known = ofMembers.get(name)
  if (known) return known
  // Computed variables that read each other are refused when the definition is saved; one that slipped through ends here.
  ofMembers.set(name, [])
  const values = seats.map((one) => {
    spend(work, 1)
    return one.replacedBy !== undefined || isSpent(work) ? null : fieldOfMember(one, scopeOf(one), name)
  })
  ofMembers.set(name, values)
  return values
}
