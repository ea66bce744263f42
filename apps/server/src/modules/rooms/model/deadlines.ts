import { limits } from '@atrium/contract'
import { isOpen, type RoomState } from './room-state.ts'

/** The next moment at which the clock alone changes the room; null when nothing is due. Absolute, so that it
 * means the same after a restart and on another machine. */
export function nextDeadline(room: RoomState): number | null {
  if (room.status.kind === 'ended') return null
  const due = room.seats.flatMap((seat) =>
    seat.status === 'active' && seat.presence.kind === 'away' && seat.presence.graceUntil !== null
      ? [seat.presence.graceUntil]
      : [],
  )
  const abandonedAt = abandonmentOf(room)
  if (abandonedAt !== null) due.push(abandonedAt)
  if (room.status.kind === 'running') {
    const flows = room.flow
      ? [room.flow]
      : room.seats.flatMap((seat) => (seat.flow && isOpen(seat) ? [seat.flow] : []))
    for (const { deadlineAt } of flows) if (deadlineAt !== null) due.push(deadlineAt)
  }
  return due.length === 0 ? null : Math.min(...due)
}

/** When the last one has been away for as long as a session lives, nobody can come back: the room is over. */
export function abandonmentOf(room: RoomState): number | null {
  const open = room.seats.filter(isOpen)
  if (open.length === 0) return null
  let newest = 0
  for (const { presence } of open) {
    if (presence.kind === 'connected') return null
    newest = Math.max(newest, presence.since)
  }
  return newest + limits.sessionLifetimeMs
}
