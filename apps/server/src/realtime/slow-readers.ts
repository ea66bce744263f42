import type { Server } from 'socket.io'
import {
  bytesWaitingIn,
  type EngineSocket,
  namespacesOf,
  packetsWaitingIn,
  terminate,
} from './socket-io-internals.ts'

const checkEveryMs = 1_000
const mostWaitingPackets = 500
const mostWaitingBytes = 1_048_576

/** Clients that do not read what they are sent would fill our memory; they are dropped and may come back. */
export function watchSlowReaders(io: Server): () => void {
  const timer = setInterval(() => {
    for (const namespace of namespacesOf(io))
      for (const socket of namespace.sockets.values()) dropIfSlow(socket.conn)
  }, checkEveryMs)
  timer.unref()
  return () => clearInterval(timer)
}

function dropIfSlow(connection: EngineSocket): void {
  if (packetsWaitingIn(connection) > mostWaitingPackets || bytesWaitingIn(connection) > mostWaitingBytes)
    terminate(connection)
}
