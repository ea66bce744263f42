import { limits } from '@atrium/contract'
import { isPerson } from './agents-in-room.ts'
import { isOpen, type RoomState } from './room-state.ts'
import { latestEndOf } from './time-limits.ts'

/**
 * The next moment at which the clock alone changes the room; null when nothing is due. Absolute, so that it means the same
 * after a restart and on another machine.
 */
export function nextDeadline(room: RoomState): number | null {
  if (room.status.kind === 'ended') return null
  const due = room.seats.flatMap((seat) =>
    seat.status === 'active' && seat.presence.kind === 'away' && seat.presence.graceUntil !== null
      ? [seat.presence.graceUntil]
      : [],
  )
  for (const { status, agent } of room.seats)
    if (status === 'active' && agent?.arrival) due.push(agent.arrival.dueAt)
  const abandonedAt = abandonmentOf(room)
  if (abandonedAt !== null) due.push(abandonedAt)
  if (room.status.kind === 'running') {
    const flows = room.flow
      ? [room.flow]
      : room.seats.flatMap((seat) => (seat.flow && isOpen(seat) ? [seat.flow] : []))
    for (const flow of flows) {
      const endsAt = latestEndOf(flow)
      if (endsAt !== null) due.push(endsAt)
    }
    for (const seat of room.seats)
      if (isOpen(seat) && seat.here.until !== undefined) due.push(seat.here.until)
    // RM207: at once. Whoever keeps the clock assigns them.
    for (const { toAssignSince } of room.seats) if (toAssignSince !== undefined) due.push(toAssignSince)
    for (const { agent } of room.seats) {
      const at = agent?.coming?.at[agent.coming.next]
      if (at !== undefined) due.push(at)
    }
    for (const { dueAt } of room.playback ?? []) if (dueAt !== null) due.push(dueAt)
  }
  return due.length === 0 ? null : Math.min(...due)
}

/** Once the last participant has been away for the lifetime of a session, nobody can come back and the room is over. */
export function abandonmentOf(room: RoomState): number | null {
  const open = room.seats.filter((seat) => isOpen(seat) && isPerson(seat))
  if (open.length === 0) return null
  let newest = 0
  for (const { presence } of open) {
    if (presence.kind === 'connected') return null
    newest = Math.max(newest, presence.since)
  }
  return newest + limits.sessionLifetimeMs
}

/**
 * RM75: nobody who may still take part is connected, and every grace period is over. Agents wait for people to come back;
 * a room of agents alone plays to its end.
 */
export const mayRest = ({ status, seats }: RoomState): boolean => {
  const people = seats.filter(isPerson)
  return (
    status.kind !== 'ended' &&
    people.length > 0 &&
    people.every(
      (seat) => !isOpen(seat) || (seat.presence.kind === 'away' && seat.presence.graceUntil === null),
    )
  )
}
