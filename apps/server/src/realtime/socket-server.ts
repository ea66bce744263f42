import type { Server as HttpServer, IncomingMessage } from 'node:http'
import { limits } from '@atrium/contract'
import { Server } from 'socket.io'
import { watchSlowReaders } from './slow-readers.ts'

export interface SocketServerParts {
  server: HttpServer
  /** Where pages come from, beside the server's own host. */
  publicUrl: string | undefined
  metrics: { connected(count: number): void; disconnected(reason: string): void }
}

/**
 * Socket.IO, by websocket only: a client that polls first fails behind a router without stickiness. The ping finds a
 * lost host within 8 s; the default takes 45 s.
 */
export function createSocketServer({ server, publicUrl, metrics }: SocketServerParts): Server {
  const io = new Server(server, {
    transports: ['websocket'],
    serveClient: false,
    pingInterval: 5_000,
    pingTimeout: 3_000,
    connectTimeout: 10_000,
    maxHttpBufferSize: limits.socketMessageBytes,
    allowRequest: (request, decide) => decide(null, isOwnOrigin(request, publicUrl) && hasRoom()),
  })
  // Refusing by name, with a reason, needs a connection; beyond this not even that is given.
  const hasRoom = (): boolean => io.engine.clientsCount < limits.socketsPerInstance + 100
  io.on('new_namespace', (namespace) =>
    namespace.on('connection', (socket) => socket.on('disconnect', metrics.disconnected)),
  )
  const count = () => metrics.connected(io.engine.clientsCount)
  io.engine.on('connection', (connection: { on(event: 'close', listener: () => void): void }) => {
    count()
    // The engine counts a connection out only after it has told so.
    connection.on('close', () => setImmediate(count))
  })
  // The namespace without a name asks for no session; nobody has any business there.
  io.use((_socket, next) => next(new Error('Connect to a namespace.')))
  watchSlowReaders(io)
  return io
}

/** A page of another site must not open a socket in a participant's name. Programs send no Origin. */
function isOwnOrigin({ headers }: IncomingMessage, publicUrl: string | undefined): boolean {
  if (headers.origin === undefined) return true
  const host = hostOf(headers.origin)
  return (
    host !== undefined && (host === headers.host || (publicUrl !== undefined && host === hostOf(publicUrl)))
  )
}

function hostOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).host : undefined
}
