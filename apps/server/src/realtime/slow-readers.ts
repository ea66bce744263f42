import type { Server } from 'socket.io'

const lookEveryMs = 1_000
const mostWaitingPackets = 500
const mostWaitingBytes = 1_048_576

/** Who does not read what they are sent would fill our memory; they are dropped and may come back. */
export function watchSlowReaders(io: Server): void {
  const timer = setInterval(() => {
    for (const namespace of io._nsps.values())
      for (const socket of namespace.sockets.values()) if (isSlow(socket.conn)) socket.conn.close()
  }, lookEveryMs)
  timer.unref()
  io.engine.on('close', () => clearInterval(timer))
}

interface Connection {
  transport: object
  writeBuffer?: unknown[]
}

function isSlow(connection: object): boolean {
  const { transport, writeBuffer } = connection as Connection
  const { socket } = transport as { socket?: { bufferedAmount?: number } }
  return (writeBuffer?.length ?? 0) > mostWaitingPackets || (socket?.bufferedAmount ?? 0) > mostWaitingBytes
}
