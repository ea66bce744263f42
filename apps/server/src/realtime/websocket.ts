import type { Socket } from 'socket.io'

/** A connection beneath all namespaces, as Engine.IO has it. */
export type EngineSocket = Socket['conn']

/** What Engine.IO does not offer of the websocket that it wraps. */
interface WebSocket {
  bufferedAmount: number
  /** Cuts it. Closing waits for the other side, which need not answer. */
  terminate(): void
  once(event: 'close', listener: () => void): void
}

export function webSocketOf({ transport }: EngineSocket): WebSocket | undefined {
  return (transport as { socket?: WebSocket }).socket
}

/** Everything that has arrived on the wire, control frames included. */
export const bytesReadBy = ({ request }: EngineSocket): number => request.socket.bytesRead

/** Packets that Engine.IO has not given to the websocket yet. */
export function packetsWaitingIn(connection: object): number {
  const { writeBuffer = [] } = connection as { writeBuffer?: unknown[] }
  return writeBuffer.length
}
