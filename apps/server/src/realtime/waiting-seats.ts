import type { Clock } from '../kernel/clock.ts'
import type { Bus } from '../ports/bus.ts'
import type { SessionSocket } from './handshake.ts'
import { createSeats } from './seats.ts'

/**
 * One socket per session across all instances: the newest one stays.
 *
 * The order is a hybrid logical clock. By the time of day alone, of three that connect within one millisecond the
 * last on each instance can be older than one that it has already replaced, so that both instances give way.
 */
export function createWaitingSeats({ bus, clock }: { bus: Bus; clock: Clock }) {
  const seats = createSeats()
  const since = new WeakMap<SessionSocket, number>()
  let latest = 0
  bus.subscribe('waiting_seat_taken', ({ sessionId, socketId, at }) => {
    latest = Math.max(latest, at)
    seats.yieldIf(sessionId, (socket) => {
      const ownAt = since.get(socket) ?? 0
      return ownAt < at || (ownAt === at && socket.id < socketId)
    })
  })
  return {
    has: seats.has,
    take(socket: SessionSocket): void {
      const { sessionId } = socket.data.session
      latest = Math.max(clock.now(), latest + 1)
      since.set(socket, latest)
      seats.take(sessionId, socket)
      // If this is lost, a second socket on another instance receives the same messages until it disconnects.
      bus.publish('waiting_seat_taken', { sessionId, socketId: socket.id, at: latest }).catch(() => undefined)
    },
    leave: (socket: SessionSocket): boolean => seats.leave(socket.data.session.sessionId, socket),
  }
}
