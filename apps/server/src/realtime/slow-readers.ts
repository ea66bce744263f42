import type { Server } from 'socket.io'
import { type EngineSocket, packetsWaitingIn, webSocketOf } from './websocket.ts'

const lookEveryMs = 1_000
const mostWaitingPackets = 500
const mostWaitingBytes = 1_048_576

/** Who does not read what they are sent would fill our memory; they are dropped and may come back. */
export function watchSlowReaders(io: Server): () => void {
  const timer = setInterval(() => {
    for (const namespace of io._nsps.values())
      for (const socket of namespace.sockets.values()) dropIfSlow(socket.conn)
  }, lookEveryMs)
  timer.unref()
  return () => clearInterval(timer)
}

/** Not closed but cut: closing waits until everything is sent, which is what does not happen here. */
function dropIfSlow(connection: EngineSocket): void {
  const socket = webSocketOf(connection)
  if (!socket) return
  if (packetsWaitingIn(connection) > mostWaitingPackets || socket.bufferedAmount > mostWaitingBytes)
    socket.terminate()
}
