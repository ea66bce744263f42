import type { SessionSocket, SocketSession } from './handshake.ts'

/** One socket per key in a namespace: a second tab replaces the first, which is told so. */
export function createSeats<Known extends SocketSession = SocketSession>() {
  const seated = new Map<string, SessionSocket<Known>>()

  function replace(former: SessionSocket<Known>): void {
    former.emit('replaced', {})
    former.disconnect(true)
  }

  return {
    has: (key: string): boolean => seated.has(key),
    socketOf: (key: string): SessionSocket<Known> | undefined => seated.get(key),
    take(key: string, socket: SessionSocket<Known>): void {
      const former = seated.get(key)
      seated.set(key, socket)
      if (former) replace(former)
    },
    /** Whether the socket still had the seat. */
    leave(key: string, socket: SessionSocket<Known>): boolean {
      if (seated.get(key) !== socket) return false
      return seated.delete(key)
    },
    /** A socket has connected on another instance: the one here is replaced if `isOlder` says so. */
    yieldIf(key: string, isOlder: (socket: SessionSocket<Known>) => boolean): void {
      const socket = seated.get(key)
      if (!socket || !isOlder(socket)) return
      seated.delete(key)
      replace(socket)
    },
  }
}
