import type { Socket as NetSocket } from 'node:net'
import type { SocketEventName } from '@atrium/contract'
import type { Namespace } from 'socket.io'
import { encodeEvent, sendPastQueue, wireOf } from './socket-io-internals.ts'

/**
 * Sends events to rooms of a namespace: encoded once, handed to the websockets directly, and together with whatever
 * else the same turn of the event loop sends, such as the acknowledgement of the action that caused them. Socket.IO's own
 * broadcast takes each packet through its queue and waits for it to be written before it takes the next, so that nearly
 * every action took its sender two writes. What this gained is in ADR 33.
 */
export function createFanOut<Name extends string = SocketEventName>(namespace: Namespace) {
  const holdThisTurn = createHold()

  return (rooms: readonly string[], name: Name, payload: object): void => {
    const message = encodeEvent(namespace, name, payload)
    for (const id of idsIn(namespace, rooms)) {
      const socket = namespace.sockets.get(id)
      if (!socket) continue
      holdThisTurn(wireOf(socket))
      if (!sendPastQueue(socket.conn, message)) socket.emit(name, payload)
    }
  }
}

/** Of the sockets, each once. Nearly always those of one room: a set of their own would cost more than the rest. */
function idsIn({ adapter }: Namespace, rooms: readonly string[]): Iterable<string> {
  const idsOf = (room: string): Iterable<string> => adapter.rooms.get(room) ?? []
  const [only] = rooms
  return only !== undefined && rooms.length === 1
    ? idsOf(only)
    : new Set(rooms.flatMap((room) => [...idsOf(room)]))
}

/** What is written to a connection until the end of this turn leaves in one write. */
function createHold() {
  let held: NetSocket[] = []

  function release(): void {
    const sockets = held
    held = []
    for (const socket of sockets) socket.uncork()
  }

  return (socket: NetSocket): void => {
    if (socket.writableCorked > 0) return
    socket.cork()
    // After everything that has arrived is dealt with; a tick may come before the promise of an acknowledgement.
    if (held.push(socket) === 1) setImmediate(release)
  }
}
