import type { ErrorCode } from '@atrium/contract'
import { Server, type Socket } from 'socket.io'
import { onTestFinished } from 'vitest'
import type { FakePlatform } from './fake-platform.ts'

/** The sockets of the fake platform; for a test with several namespaces. */
export function openFakeSockets(platform: FakePlatform): Server {
  const io = new Server(platform.server, { transports: ['websocket'] })
  onTestFinished(() => void io.close())
  return io
}

/** A namespace that admits the platform's living sessions, or refuses the next ones with the codes it is given. */
export function openFakeNamespace(platform: FakePlatform, io: Server, name: string) {
  const namespace = io.of(name)
  const handshakes: { sessionId: unknown; roomId: unknown; userAgent: unknown }[] = []
  const refusals: (ErrorCode | { code: ErrorCode; retryAfterSeconds: number })[] = []
  let newest: Socket | undefined

  namespace.use((candidate, next) => {
    const { sessionId, sessionToken } = candidate.handshake.auth
    handshakes.push({
      sessionId,
      roomId: candidate.handshake.query.roomId,
      userAgent: candidate.handshake.headers['user-agent'],
    })
    const session = platform.sessions.get(String(sessionId))
    const isGood = session && !session.isRevoked && sessionToken === `stkn_${sessionId}`
    const refusal = refusals.shift() ?? (isGood ? undefined : 'SESSION_INVALID')
    const data = typeof refusal === 'string' ? { code: refusal } : refusal
    next(data && Object.assign(new Error(data.code), { data }))
  })
  namespace.on('connection', (connected) => {
    newest = connected
  })

  return {
    namespace,
    handshakes,
    refusals,
    connections: (): number => namespace.sockets.size,
    emitRaw: (event: string, payload: unknown): void => void namespace.emit(event, payload),
    /** As the server does when it stops. */
    dropAll: (): void => void namespace.disconnectSockets(true),
    cutConnection: (): void => void newest?.conn.close(),
  }
}
