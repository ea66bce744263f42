import type { SocketAuth } from '@atrium/contract'
import { io, type Socket } from 'socket.io-client'

export interface SessionSocketOptions {
  baseUrl: string
  namespace: '/experiment' | '/waiting' | '/sync'
  query: Record<string, string>
  userAgent: string | undefined
  /** Called at every attempt, because the session may have been replaced since the last one. */
  auth(): SocketAuth
}

type FromServer = Record<string, (payload: unknown) => void>
type ToServer = Record<string, (payload: object, acknowledge: (answer: unknown) => void) => void>

const connectPatienceMs = 10_000

/** A socket of one namespace, not connected yet. It never reconnects by itself: `createSessionConnection` decides that. */
export function createSessionSocket(options: SessionSocketOptions): Socket<FromServer, ToServer> {
  const { baseUrl, namespace, query, userAgent, auth } = options
  const { origin, pathname } = new URL(baseUrl)
  return io(`${origin}${namespace}`, {
    path: `${pathname.replace(/\/+$/, '')}/socket.io`,
    // Starting with polling fails behind a router without sticky sessions.
    transports: ['websocket'],
    // A connection shared with another namespace would keep that one's query, which lacks our room.
    forceNew: true,
    query,
    auth: (give: (auth: object) => void) => give(auth()),
    autoConnect: false,
    reconnection: false,
    timeout: connectPatienceMs,
    ...(userAgent === undefined ? {} : { extraHeaders: { 'user-agent': userAgent } }),
  })
}
