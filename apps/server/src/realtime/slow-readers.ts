import type { Server } from 'socket.io'
import { type EngineSocket, packetsWaitingIn, webSocketOf } from './websocket.ts'

const checkEveryMs = 1_000
const mostWaitingPackets = 500
const mostWaitingBytes = 1_048_576

/** Clients that do not read what they are sent would fill our memory; they are dropped and may come back. */
export function watchSlowReaders(io: Server): () => void {
  const timer = setInterval(() => {
    for (const namespace of io._nsps.values())
      for (const socket of namespace.sockets.values()) dropIfSlow(socket.conn)
  }, checkEveryMs)
  timer.unref()
  return () => clearInterval(timer)
}

/** Terminated, not closed: closing waits until everything is sent, which never happens here. */
function dropIfSlow(connection: EngineSocket): void {
  const socket = webSocketOf(connection)
  if (!socket) return
  if (packetsWaitingIn(connection) > mostWaitingPackets || socket.bufferedAmount > mostWaitingBytes)
    socket.terminate()
}
