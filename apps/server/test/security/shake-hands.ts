import { io, type Socket } from 'socket.io-client'

export interface Presented {
  sessionId: string
  sessionToken: string
}

export interface HandshakeOptions {
  session?: Presented
  /** Instead of a session. */
  auth?: Record<string, unknown>
  query?: Record<string, string>
  headers?: Record<string, string>
}

export interface Outcome {
  /** `connected`, or the code of the refusal; empty if it has none, `cut off` if the connection ended before any answer. */
  code: string
  data: Record<string, unknown> | undefined
  socket: Socket
  /** The names of the events that the server sent. */
  received: string[]
}

/** A handshake by the official client, with any credentials, query and headers. */
export async function shakeHands(
  address: string,
  namespace: string,
  { session, auth = {}, query = {}, headers = {} }: HandshakeOptions = {},
): Promise<Outcome> {
  const socket = io(`${address}${namespace}`, {
    transports: ['websocket'],
    forceNew: true,
    reconnection: false,
    query,
    auth: session ? { sessionId: session.sessionId, sessionToken: session.sessionToken } : auth,
    extraHeaders: { 'user-agent': 'atrium-test/1.0', ...headers },
  })
  const received: string[] = []
  socket.onAny((name: string) => received.push(name))
  return await new Promise((resolve) => {
    const settle = (code: string, data?: Record<string, unknown>) => resolve({ code, data, socket, received })
    socket.once('connect', () => settle('connected'))
    socket.once('disconnect', () => settle('cut off'))
    socket.once('connect_error', (error: Error & { data?: Record<string, unknown> }) => {
      socket.close()
      settle(String(error.data?.code ?? ''), error.data)
    })
  })
}
