import {
  RoomAck,
  type SocketEventName,
  type SocketNamespace,
  socketEvents,
  socketNamespaces,
} from '@atrium/contract'
import { io } from 'socket.io-client'
import { Compile } from 'typebox/compile'

export interface SocketSession {
  sessionId: string
  sessionToken: string
  roomId: string
}

/** A refused handshake with the server's error code. */
export class HandshakeRefused extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

interface CheckedSocketOptions {
  path: SocketNamespace['path']
  session: Pick<SocketSession, 'sessionId' | 'sessionToken'>
  /** In the handshake, where the namespace needs it. */
  roomId?: string
  userAgent?: string
}

/** A bare socket, below the SDK. Everything the server sends is checked against the contract. */
export function openCheckedSocket(address: string, options: CheckedSocketOptions) {
  const { path, session, roomId, userAgent = 'atrium-test/1.0' } = options
  const faults: string[] = []
  const socket = io(`${address}${path}`, {
    transports: ['websocket'],
    forceNew: true,
    reconnection: false,
    timeout: 60_000,
    ...(roomId !== undefined && { query: { roomId } }),
    auth: { sessionId: session.sessionId, sessionToken: session.sessionToken },
    extraHeaders: { 'user-agent': userAgent },
  })
  socket.onAny((name: string, payload: unknown) => faults.push(...undocumentedEvent(path, name, payload)))
  return {
    socket,
    refuseFaults(): void {
      if (faults.length > 0)
        throw new Error(`the server sent something outside the contract: ${faults.join('; ')}`)
    },
    /** Resolves with the first message of this name, and rejects if the handshake is refused. */
    async admitted(greeting: 'connect' | 'room_snapshot'): Promise<void> {
      await new Promise<void>((resolve, reject) => {
        socket.once(greeting, () => resolve())
        socket.once('connect_error', (error: Error & { data?: { code?: string } }) => {
          socket.close()
          reject(new HandshakeRefused(error.data?.code ?? '', error.message))
        })
        socket.once('disconnect', (reason) =>
          reject(new HandshakeRefused('', `closed before ${greeting}: ${reason}`)),
        )
      })
    },
    /** Resolves with the acknowledgement of an action. */
    async act(name: string, payload: Record<string, unknown>, timeoutMs: number): Promise<RoomAck> {
      const ack: unknown = await socket.timeout(timeoutMs).emitWithAck(name, payload)
      if (!acks.Check(ack)) throw new Error(`not an acknowledgement: ${JSON.stringify(ack)}`)
      return ack as RoomAck
    },
  }
}

const acks = Compile(RoomAck)
const checks = new Map(Object.entries(socketEvents).map(([name, schema]) => [name, Compile(schema)]))

/** What is not as the reference of the sockets says, for each message that a namespace sends; none if it is. */
function undocumentedEvent(path: SocketNamespace['path'], name: string, payload: unknown): string[] {
  const namespace = socketNamespaces.find((one) => one.path === path)
  if (!namespace?.events[name as SocketEventName]) return [`${path} does not document ${name}`]
  const check = checks.get(name)
  if (check?.Check(payload)) return []
  return [`${name}: ${JSON.stringify(check?.Errors(payload)[0])} in ${JSON.stringify(payload).slice(0, 300)}`]
}
