import { limits, SocketAuth } from '@atrium/contract'
import type { Namespace, Server, Socket } from 'socket.io'
import { AppError } from '../kernel/app-error.ts'
import { parserFor } from '../kernel/validate.ts'
import type { SessionRecord, Sessions } from '../modules/sessions/index.ts'
import type { RateLimiter } from '../ports/rate-limiter.ts'
import type { Door } from './door.ts'
import { leastBytesLeft, type Share, type Shares } from './shares.ts'

const auth = parserFor(SocketAuth)

interface SocketData {
  session: SessionRecord
  share: Share
}

export type SessionSocket = Socket<
  Record<string, never>,
  Record<string, (payload: unknown) => void>,
  Record<string, never>,
  SocketData
>

export interface HandshakeDeps {
  io: Server
  door: Door
  sessions: Sessions
  shares: Shares
  limiter: RateLimiter
  /** R13: it may be a hijacking attempt. */
  onOtherBrowser(namespace: string): void
  onDefect(error: unknown): void
}

/** What a namespace asks of a session beyond that it lives. */
export interface Admission {
  mayBeCompleted: boolean
  admit(session: SessionRecord, socket: SessionSocket): Promise<void>
  /** Whether the session has a socket here, which this one will replace. */
  isSeated(session: SessionRecord): boolean
}

export type Handshakes = ReturnType<typeof createHandshakes>

/** R24: namespaces that admit only living sessions. */
export function createHandshakes(deps: HandshakeDeps) {
  const { io, door, shares, sessions } = deps

  async function admit(socket: SessionSocket, admission: Admission): Promise<void> {
    const session = await recognise(deps, socket)
    const share = shares.of(session.participantId)
    const now = performance.now()
    if (!share.handshakes.take(now)) throw rateLimited(share.handshakes.msUntil(now, 1))
    const msUntilBytes = share.bytes.msUntil(now, leastBytesLeft)
    if (msUntilBytes > 0) throw rateLimited(msUntilBytes)
    sessions.admit(session, admission.mayBeCompleted)
    if (namedInQuery(socket, 'experimentId').some((named) => named !== session.experimentId))
      throw new AppError('SESSION_MISMATCH')
    // R38: before the namespace looks at it, because that may open the room. How a session ended is told to all.
    if (session.completion === null) await sessions.requireConsent(session)
    await admission.admit(session, socket)
    door.admit(socket.conn, socket.nsp.name, session.participantId, admission.isSeated(session))
    socket.data.session = session
    socket.data.share = share
  }

  return {
    open(name: string, admission: Admission): Namespace {
      const namespace = io.of(name)
      namespace.use(
        decideHandshake(
          door,
          (socket) => admit(socket as unknown as SessionSocket, admission),
          deps.onDefect,
        ),
      )
      namespace.on('connection', (socket) => socket.on('disconnect', () => door.leave(socket.conn, name)))
      return namespace
    },
  }
}

/** A middleware for a namespace. Refusals reach the client as `connect_error` with a code (R24). */
export function decideHandshake(
  door: Door,
  decide: (socket: Socket) => Promise<void>,
  onDefect: (error: unknown) => void = () => undefined,
) {
  async function run(socket: Socket): Promise<void> {
    door.knock(socket.conn, socket.nsp.name)
    await decide(socket)
  }
  return (socket: Socket, next: (error?: Error) => void): void => {
    run(socket).then(
      () => next(),
      (error: unknown) => {
        if (!(error instanceof AppError)) onDefect(error)
        next(asConnectError(error))
        door.refuse(socket.conn, socket.nsp.name)
      },
    )
  }
}

/** The session that the socket presents. R10: who presents none, or a wrong one, has failed to authenticate. */
async function recognise(deps: HandshakeDeps, socket: SessionSocket): Promise<SessionRecord> {
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
    if (error.details.reason === 'user_agent') deps.onOtherBrowser(socket.nsp.name)
    const state = await limiter.consume('failed', ipAddress, limits.failedAuthenticationsPerWindow)
    throw state.allowed ? error : rateLimited(state.resetInMs)
  }
}

/** Whatever a query says of the name, each time that it says it. */
export function namedInQuery({ request }: Pick<SessionSocket, 'request'>, name: string): string[] {
  return new URL(request.url ?? '/', 'http://any').searchParams.getAll(name)
}

const rateLimited = (waitMs: number): AppError =>
  new AppError('RATE_LIMITED', { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) })

function asConnectError(error: unknown): Error {
  const refusal = error instanceof AppError ? error : new AppError('INTERNAL')
  return Object.assign(new Error(refusal.message), { data: { code: refusal.code, ...refusal.details } })
}
