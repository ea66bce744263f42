import type { Socket as NetSocket } from 'node:net'
import type { Namespace, Server, Socket } from 'socket.io'

// All that we use of Socket.IO, Engine.IO and ws although they do not document it. `socket-io-internals.test.ts` shows
// on the installed versions that it does what is said here, so that an upgrade fails there.

/** An Engine.IO connection, beneath all namespaces. */
export type EngineSocket = Socket['conn']

/** What Engine.IO does not expose of the websocket of ws that it wraps. */
interface WebSocket {
  bufferedAmount: number
  send(message: Buffer, options: { binary: boolean }): void
  terminate(): void
  once(event: 'close', listener: () => void): void
}

/** Socket.IO's packet type for events. */
const eventPacket = 2
/** Engine.IO's, in front of every packet of Socket.IO. */
const messagePrefix = '4'

const webSocketOf = ({ transport }: EngineSocket): WebSocket | undefined =>
  (transport as { socket?: WebSocket }).socket

/** The text of the websocket message that carries an event. Socket.IO would encode it again for each call of `emit`. */
export function encodeEvent({ name, server }: Namespace, event: string, payload: object): Buffer {
  const [packet] = server.encoder.encode({ type: eventPacket, nsp: name, data: [event, payload] })
  return Buffer.from(`${messagePrefix}${packet}`)
}

/**
 * Writes the message past Engine.IO's queue, which would wait for each write before it begins the next. False if it
 * may not: packets that wait in the queue must leave first.
 */
export function sendPastQueue(connection: EngineSocket, message: Buffer): boolean {
  const webSocket = webSocketOf(connection)
  if (!webSocket || connection.readyState !== 'open' || packetsWaitingIn(connection) > 0) return false
  webSocket.send(message, { binary: false })
  return true
}

/** Packets that Engine.IO has not passed to the websocket yet. */
export function packetsWaitingIn(connection: object): number {
  const { writeBuffer = [] } = connection as { writeBuffer?: unknown[] }
  return writeBuffer.length
}

/** Bytes that the websocket has accepted and the kernel has not. */
export const bytesWaitingIn = (connection: EngineSocket): number =>
  webSocketOf(connection)?.bufferedAmount ?? 0

/** All bytes that have arrived on the wire, including control frames, of which Engine.IO tells nothing. */
export const bytesReadBy = ({ request }: EngineSocket): number => request.socket.bytesRead

/** The TCP connection, which Socket.IO names only as that of the request: corked, it collects what is written. */
export const wireOf = ({ request }: Socket): NetSocket => request.socket

/** Cuts the connection. Closing it would wait until all is sent and the other side answers, which it need not do. */
export const terminate = (connection: EngineSocket): void => webSocketOf(connection)?.terminate()

/** Until then the websocket costs a file descriptor, although Engine.IO may have forgotten the connection. */
export function onceWebSocketClosed(connection: EngineSocket, listener: () => void): void {
  webSocketOf(connection)?.once('close', listener)
}

/** The namespaces that are open now; Socket.IO only gives one by name, and creates it then. */
export const namespacesOf = (io: Server): Namespace[] => [...io._nsps.values()]
