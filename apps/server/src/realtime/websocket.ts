import type { Socket } from 'socket.io'

/** An Engine.IO connection, beneath all namespaces. */
export type EngineSocket = Socket['conn']

/** What Engine.IO does not expose of the websocket that it wraps. */
interface WebSocket {
  bufferedAmount: number
  send(message: Buffer, options: { binary: boolean }): void
  /** Cuts the connection. Closing would wait for the other side, which need not answer. */
  terminate(): void
  once(event: 'close', listener: () => void): void
}

export function webSocketOf({ transport }: EngineSocket): WebSocket | undefined {
  return (transport as { socket?: WebSocket }).socket
}

/** All bytes that have arrived on the wire, including control frames. */
export const bytesReadBy = ({ request }: EngineSocket): number => request.socket.bytesRead

/** Packets that Engine.IO has not passed to the websocket yet. */
export function packetsWaitingIn(connection: object): number {
  const { writeBuffer = [] } = connection as { writeBuffer?: unknown[] }
  return writeBuffer.length
}
