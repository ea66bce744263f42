import type { SocketAuth } from '@atrium/contract'
import { io, type Socket } from 'socket.io-client'

export interface SessionSocketOptions {
  baseUrl: string
  namespace: '/experiment' | '/waiting'
  query: Record<string, string>
  userAgent: string | undefined
  /** Asked at every attempt, as a session may have been replaced since the last one. */
  auth(): SocketAuth
}

type FromServer = Record<string, (payload: unknown) => void>
type ToServer = Record<string, (payload: object, acknowledge: (answer: unknown) => void) => void>

const connectPatienceMs = 10_000

/** A socket of one namespace, not connected yet. It never reconnects by itself: one place decides when and whether. */
export function createSessionSocket(options: SessionSocketOptions): Socket<FromServer, ToServer> {
  const { baseUrl, namespace, query, userAgent, auth } = options
  const { origin, pathname } = new URL(baseUrl)
  return io(`${origin}${namespace}`, {
    path: `${pathname.replace(/\/+$/, '')}/socket.io`,
    // Polling first fails behind a router without stickiness.
    transports: ['websocket'],
    // A connection that is shared with another namespace would keep that one's query, without our room.
    forceNew: true,
    query,
    auth: (give: (auth: object) => void) => give(auth()),
    autoConnect: false,
    reconnection: false,
    timeout: connectPatienceMs,
    ...(userAgent === undefined ? {} : { extraHeaders: { 'user-agent': userAgent } }),
  })
}
