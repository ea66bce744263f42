import { limits, SocketAuth } from '@atrium/contract'
import type { Namespace, Server, Socket } from 'socket.io'
import { AppError } from '../kernel/app-error.ts'
import { parserFor } from '../kernel/validate.ts'
import type { SessionRecord, Sessions } from '../modules/sessions/index.ts'

const auth = parserFor(SocketAuth)

interface SocketData {
  session: SessionRecord
}

export type SessionSocket = Socket<
  Record<string, never>,
  Record<string, (payload: unknown) => void>,
  Record<string, never>,
  SocketData
>

/** R24: a namespace that admits only living sessions. Refusals reach the client as `connect_error` with a code. */
export function sessionNamespace(
  io: Server,
  name: string,
  sessions: Sessions,
  admit: (session: SessionRecord, socket: SessionSocket) => Promise<void>,
  mayBeCompleted = false,
): Namespace {
  const namespace = io.of(name)
  namespace.use((socket, next) => {
    authenticate(io, socket as SessionSocket, sessions, admit, mayBeCompleted).then(
      () => next(),
      (error: unknown) => next(asConnectError(error)),
    )
  })
  return namespace
}

async function authenticate(
  io: Server,
  socket: SessionSocket,
  sessions: Sessions,
  admit: (session: SessionRecord, socket: SessionSocket) => Promise<void>,
  mayBeCompleted: boolean,
): Promise<void> {
  if (io.engine.clientsCount > limits.socketsPerInstance)
    throw new AppError('UNAVAILABLE', {}, 'This instance has as many connections as it can hold.')
  const parsed = auth.parse(socket.handshake.auth)
  if (!parsed.ok) throw new AppError('SESSION_INVALID', {}, 'The handshake needs sessionId and sessionToken.')
  const session = await sessions.recognise({
    ...parsed.value,
    ipAddress: socket.handshake.address,
    userAgent: socket.handshake.headers['user-agent'] ?? '',
  })
  sessions.admit(session, mayBeCompleted)
  await admit(session, socket)
  socket.data.session = session
}

function asConnectError(error: unknown): Error {
  const refusal = error instanceof AppError ? error : new AppError('INTERNAL')
  return Object.assign(new Error(refusal.message), { data: { code: refusal.code, ...refusal.details } })
}
