import {
  limits,
  parserFor,
  requestIdHeader,
  SocketAuth,
  type SocketEventName,
  type socketEvents,
} from '@atrium/contract'
import type { Namespace, Server, Socket } from 'socket.io'
import type { Static } from 'typebox'
import { AppError } from '../kernel/app-error.ts'
import type { RateLimiter } from '../ports/rate-limiter.ts'
import type { Door } from './door.ts'
import { minBytesLeft, type Share, type Shares } from './shares.ts'

const auth = parserFor(SocketAuth)

/** Who is this session? Modules know more about it than the socket edge asks, and their namespaces receive all of it. */
export interface SocketSession {
  sessionId: string
  participantId: string
  experimentId: string
  /** `null` while the session has not completed. */
  completion: object | null
}

/** What the socket edge asks of sessions. */
interface SessionCheck<Known extends SocketSession> {
  recognise(presented: {
    sessionId: string
    sessionToken: string
    ipAddress: string
    userAgent: string
  }): Promise<Known>
  /** Throws unless the session may still act. */
  admit(session: Known, mayBeCompleted: boolean): void
  /** R38: throws while consent is required and not given. */
  requireConsent(session: Known): Promise<void>
}

/** Only what the reference names can be sent. */
type SocketEvents = {
  [Name in SocketEventName]: (payload: Static<(typeof socketEvents)[Name]>) => void
}

interface SocketData<Known extends SocketSession> {
  session: Known
  share: Share
}

export type SessionSocket<Known extends SocketSession = SocketSession> = Socket<
  Record<string, never>,
  SocketEvents,
  Record<string, never>,
  SocketData<Known>
>

export interface HandshakeDeps<Known extends SocketSession> {
  io: Server
  door: Door
  sessions: SessionCheck<Known>
  shares: Shares
  limiter: RateLimiter
  /** R13: possibly a hijacking attempt. */
  onOtherBrowser(handshake: Handshake): void
  onDecided: OnDecided
}

/** For the log: which handshake of which request. */
export interface Handshake {
  namespace: string
  reqId: string
}

/** Without an error, the socket was admitted. */
export type OnDecided = (handshake: Handshake, error?: unknown) => void

/** What a namespace requires of a session besides being alive. */
interface Admission<Known extends SocketSession> {
  mayBeCompleted: boolean
  admit(session: Known, socket: SessionSocket<Known>): Promise<void>
  /** Whether the session already has a socket here, which this one will replace. */
  isSeated(session: Known): boolean
}

export interface Handshakes<Known extends SocketSession> {
  open(name: string, admission: Admission<Known>): Namespace
}

/** R24: namespaces that admit only living sessions. */
export function createHandshakes<Known extends SocketSession>(deps: HandshakeDeps<Known>): Handshakes<Known> {
  const { io, door, shares, sessions } = deps

  async function admit(socket: SessionSocket<Known>, admission: Admission<Known>): Promise<void> {
    const session = await recognise(deps, socket)
    const share = shares.of(session.participantId)
    const now = performance.now()
    if (!share.handshakes.take(now)) throw rateLimited(share.handshakes.msUntil(now, 1))
    const msUntilBytes = share.bytes.msUntil(now, minBytesLeft)
    if (msUntilBytes > 0) throw rateLimited(msUntilBytes)
    sessions.admit(session, admission.mayBeCompleted)
    if (namedInQuery(socket, 'experimentId').some((named) => named !== session.experimentId))
      throw new AppError('SESSION_MISMATCH')
    // R38: before the namespace admits it, which may open the room. A completed session may still learn how it ended.
    if (session.completion === null) await sessions.requireConsent(session)
    await admission.admit(session, socket)
    door.admit(socket.conn, socket.nsp.name, session.participantId, admission.isSeated(session))
    socket.data.session = session
    socket.data.share = share
  }

  return {
    open(name, admission) {
      const namespace = io.of(name)
      namespace.use(
        decideHandshake(
          door,
          (socket) => admit(socket as unknown as SessionSocket<Known>, admission),
          deps.onDecided,
        ),
      )
      namespace.on('connection', (socket) => socket.on('disconnect', () => door.leave(socket.conn, name)))
      return namespace
    },
  }
}

/** Middleware for a namespace. Refusals reach the client as `connect_error` with a code (R24). */
export function decideHandshake(door: Door, decide: (socket: Socket) => Promise<void>, onDecided: OnDecided) {
  async function run(socket: Socket): Promise<void> {
    door.knock(socket.conn, socket.nsp.name)
    await decide(socket)
  }
  return (socket: Socket, next: (error?: Error) => void): void => {
    run(socket).then(
      () => {
        onDecided(handshakeOf(socket))
        next()
      },
      (error: unknown) => {
        onDecided(handshakeOf(socket), error)
        next(asConnectError(error))
        door.refuse(socket.conn, socket.nsp.name)
      },
    )
  }
}

/** The socket server has given every request an id. */
export const handshakeOf = ({ nsp, request }: Pick<Socket, 'nsp' | 'request'>): Handshake => ({
  namespace: nsp.name,
  reqId: String(request.headers[requestIdHeader]),
})

/** The session that the socket presents. R10: presenting none, or a wrong one, counts as a failed authentication. */
async function recognise<Known extends SocketSession>(
  deps: HandshakeDeps<Known>,
  socket: SessionSocket<Known>,
): Promise<Known> {
  const { sessions, door, limiter } = deps
  const ipAddress = door.addressOf(socket.conn)
  const parsed = auth.parse(socket.handshake.auth)
  try {
    if (!parsed.ok)
      throw new AppError('SESSION_INVALID', {}, 'The handshake needs sessionId and sessionToken.')
    const userAgent = socket.handshake.headers['user-agent'] ?? ''
    return await sessions.recognise({ ...parsed.value, ipAddress, userAgent })
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'SESSION_INVALID') throw error
    if (error.details.reason === 'user_agent') deps.onOtherBrowser(handshakeOf(socket))
    const state = await limiter.consume('failed', ipAddress, limits.failedAuthenticationsPerWindow)
    throw state.allowed ? error : rateLimited(state.resetInMs)
  }
}

/** All values that the query has under this name. */
export function namedInQuery({ request }: Pick<SessionSocket, 'request'>, name: string): string[] {
  return new URL(request.url ?? '/', 'http://any').searchParams.getAll(name)
}

export const rateLimited = (waitMs: number): AppError =>
  new AppError('RATE_LIMITED', { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) })

function asConnectError(error: unknown): Error {
  const refusal = error instanceof AppError ? error : new AppError('INTERNAL')
  return Object.assign(new Error(refusal.message), { data: { code: refusal.code, ...refusal.details } })
}
