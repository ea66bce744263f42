import type { Server as HttpServer, IncomingMessage } from 'node:http'
import { limits, requestIdHeader } from '@atrium/contract'
import { Server, type Socket } from 'socket.io'
import { AppError } from '../kernel/app-error.ts'
import { createRequestIds } from '../kernel/request-ids.ts'
import { createDoor, type Door } from './door.ts'
import { decideHandshake, type OnDecided } from './handshake.ts'
import { refuseHosts } from './refuse-hosts.ts'
import type { Shares } from './shares.ts'
import {
  bytesWaitingIn,
  type EngineSocket,
  namespacesOf,
  packetsWaitingIn,
  terminate,
} from './socket-io-internals.ts'

export interface SocketServerDeps {
  server: HttpServer
  /** Where pages come from, besides the server's own host. */
  publicUrl: string | undefined
  /** Other sites whose pages may connect. */
  pageOrigins: ReadonlySet<string>
  /** Undefined: called by any name. */
  isOwnHost: ((request: IncomingMessage) => boolean) | undefined
  shares: Shares
  addressOf(request: IncomingMessage): string
  metrics: { connected(count: number): void; disconnected(reason: string): void }
  onDecided: OnDecided
}

export interface SocketServer {
  io: Server
  door: Door
  close(): void
}

/**
 * Socket.IO over websockets only: clients that start with polling fail behind a router without sticky sessions. The
 * ping detects a lost host within 8 s; the default takes 45 s.
 */
export function createSocketServer(deps: SocketServerDeps): SocketServer {
  const { server, publicUrl, pageOrigins, metrics } = deps
  const io = new Server(server, {
    transports: ['websocket'],
    allowUpgrades: false,
    serveClient: false,
    pingInterval: 5_000,
    pingTimeout: 3_000,
    connectTimeout: 10_000,
    maxHttpBufferSize: limits.socketMessageBytes,
    cleanupEmptyChildNamespaces: true,
  })
  identifyRequests(io)
  if (deps.isOwnHost) refuseHosts(server, io, deps.isOwnHost)
  refuseSecondWebSockets(io)
  const door = createDoor({
    ...deps,
    engine: io.engine,
    isForeign: (request) =>
      !isOwnOrigin(request, publicUrl) && !pageOrigins.has(request.headers.origin ?? ''),
    onCounted: metrics.connected,
  })
  io.on('new_namespace', (namespace) =>
    namespace.on('connection', (socket: Socket) =>
      socket.on('disconnect', (reason) => metrics.disconnected(door.cutBecause(socket.conn) ?? reason)),
    ),
  )
  refuseOtherNamespaces(io, door, deps.onDecided)
  const stopWatching = watchSlowReaders(io)
  return {
    io,
    door,
    close() {
      stopWatching()
      door.stop()
      io.engine.close()
    },
  }
}

/** Every handshake has the id of its request in the log, and its response has it in a header, as with HTTP. */
function identifyRequests(io: Server): void {
  const requestIdOf = createRequestIds()
  io.engine.use((request: IncomingMessage, _response: unknown, next: () => void) => {
    request.headers[requestIdHeader] = requestIdOf(request)
    next()
  })
  io.engine.on('initial_headers', (headers: Record<string, string>, request: IncomingMessage) => {
    headers[requestIdHeader] = String(request.headers[requestIdHeader])
  })
}

/**
 * A request with the id of a connection would move that connection to another websocket, past the door. Engine.IO
 * allows this whatever its options, and calls `allowRequest` only for requests without an id.
 */
function refuseSecondWebSockets(io: Server): void {
  io.engine.use((request: IncomingMessage, _response: unknown, next: (error?: Error) => void) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://localhost')
    next(searchParams.has('sid') ? new Error('a connection keeps its websocket') : undefined)
  })
}

/** The default namespace and all that nobody serves: they only exist to refuse with a code (R24). */
function refuseOtherNamespaces(io: Server, door: Door, onDecided: OnDecided): void {
  const refuse = decideHandshake(
    door,
    async () => {
      throw new AppError('NOT_FOUND', {}, 'There is no such namespace.')
    },
    onDecided,
  )
  io.use(refuse)
  // Not a pattern: it would also match namespaces that are opened later.
  io.of((_name, _auth, decide) => decide(null, true)).use(refuse)
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

const checkEveryMs = 1_000
const maxWaitingPackets = 500
const maxWaitingBytes = 1_048_576

/** Clients that do not read what they are sent would fill our memory; they are dropped and may come back. */
function watchSlowReaders(io: Server): () => void {
  const timer = setInterval(() => {
    for (const namespace of namespacesOf(io))
      for (const socket of namespace.sockets.values()) dropIfSlow(socket.conn)
  }, checkEveryMs)
  timer.unref()
  return () => clearInterval(timer)
}

function dropIfSlow(connection: EngineSocket): void {
  if (packetsWaitingIn(connection) > maxWaitingPackets || bytesWaitingIn(connection) > maxWaitingBytes)
    terminate(connection)
}
