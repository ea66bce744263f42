import type { RoomActionName, SocketAuth } from '@atrium/contract'
import { io, type Socket } from 'socket.io-client'

export interface RoomSocketOptions {
  baseUrl: string
  roomId: string
  userAgent: string | undefined
  /** Asked at every attempt, as a session may have been replaced since the last one. */
  auth(): SocketAuth
}

interface FromServer {
  room_snapshot: (snapshot: unknown) => void
  room_event: (event: unknown) => void
  replaced: () => void
}

type ToServer = Record<RoomActionName, (payload: object, acknowledge: (answer: unknown) => void) => void>

const connectPatienceMs = 10_000

/** A socket of `/experiment`, not connected yet. It never reconnects by itself: one place decides when and whether. */
export function createRoomSocket(options: RoomSocketOptions): Socket<FromServer, ToServer> {
  const { baseUrl, roomId, userAgent, auth } = options
  const { origin, pathname } = new URL(baseUrl)
  return io(`${origin}/experiment`, {
    path: `${pathname.replace(/\/+$/, '')}/socket.io`,
    // Polling first fails behind a router without stickiness.
    transports: ['websocket'],
    // A connection that is shared with another namespace would keep that one's query, without our room.
    forceNew: true,
    query: { roomId },
    auth: (give: (auth: object) => void) => give(auth()),
    autoConnect: false,
    reconnection: false,
    timeout: connectPatienceMs,
    ...(userAgent === undefined ? {} : { extraHeaders: { 'user-agent': userAgent } }),
  })
}
