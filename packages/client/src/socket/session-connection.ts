import { limits } from '@atrium/contract'
import { backoffMs, retryDelayMs } from '../backoff.ts'
import { ApiRefused, asError, NotJoined } from '../errors.ts'
import { isErrorCode } from '../http.ts'
import type { Participant } from '../participant-api.ts'
import { isRecord } from '../records.ts'
import type { Session } from '../session.ts'
import { createSessionSocket, type SessionSocketOptions } from './session-socket.ts'

/** The status of a connection to the platform. `replaced`, `failed` and `closed` are final. */
export type ConnectionStatus =
  | { kind: 'connecting' }
  | { kind: 'connected' }
  | { kind: 'reconnecting'; attempt: number; delayMs: number; because: string }
  /** The session was lost; the participant is joining again. */
  | { kind: 'rejoining' }
  /** Another tab or device has taken over. */
  | { kind: 'replaced' }
  | { kind: 'failed'; code: string; message: string }
  | { kind: 'closed' }

export const isFinal = ({ kind }: ConnectionStatus): boolean =>
  kind === 'replaced' || kind === 'failed' || kind === 'closed'

type Messages = Record<string, (payload: unknown) => void>

export interface SessionConnectionDeps extends Pick<SessionSocketOptions, 'namespace' | 'query'> {
  participant: Participant
  /** Messages that the server sends once it has admitted us: the first of them establishes the connection. */
  greetings?: Messages
  /** The handshake was accepted. Without greetings, call `establish` once the server has answered something. */
  onAdmitted?(): void
  /** Other messages. */
  messages?: Messages
  onStatus(status: ConnectionStatus): void
  /** The connection is lost; another may follow. */
  onLost(): void
}

/** The session is valid, but not here, or nobody is admitted: trying again changes nothing. */
const hopeless = new Set([
  'SESSION_MISMATCH',
  'SESSION_COMPLETED',
  'CONSENT_REQUIRED',
  'EXPERIMENT_NOT_FOUND',
  'EXPERIMENT_CLOSED',
  'ROOM_NOT_FOUND',
  'ROOM_ENDED',
  'NOT_FOUND',
  'FORBIDDEN',
  'VALIDATION_FAILED',
])
/** Shorter than for events: a take-over takes about 1.5 s, and the others in a room wait for those who are away. */
const longestDelayMs = 5_000
const sessionLost = new Set(['SESSION_EXPIRED', 'SESSION_INVALID'])

/** Keeps one socket of a session connected, across network failures and lost sessions, from `open` until a final status. */
export function createSessionConnection(deps: SessionConnectionDeps) {
  const { participant, namespace, query } = deps
  const { baseUrl, userAgent, clock, random, renew, ownClock } = participant.wiring
  let status: ConnectionStatus = { kind: 'connecting' }
  let presented: Session | undefined
  let failures = 0
  let askedAt = 0
  let callOff = (): void => undefined

  const socket = createSessionSocket({
    baseUrl,
    namespace,
    query,
    userAgent,
    auth() {
      presented = participant.session ?? undefined
      askedAt = ownClock.steadyNow()
      return { sessionId: presented?.sessionId ?? '', sessionToken: presented?.token ?? '' }
    },
  })

  function setStatus(news: ConnectionStatus): void {
    if (isFinal(status)) return
    status = news
    deps.onStatus(news)
  }

  function end(last: ConnectionStatus): void {
    if (isFinal(status)) return
    callOff()
    setStatus(last)
    socket.disconnect()
    deps.onLost()
  }

  function connect(): void {
    if (isFinal(status)) return
    setStatus({ kind: 'connecting' })
    socket.connect()
  }

  function connectLater(because: string, retryAfterMs?: number): void {
    if (isFinal(status)) return
    failures++
    const delayMs =
      retryAfterMs === undefined
        ? backoffMs(failures, random, longestDelayMs)
        : retryDelayMs(failures, retryAfterMs, random)
    setStatus({ kind: 'reconnecting', attempt: failures, delayMs, because })
    callOff()
    callOff = clock.after(delayMs, connect)
  }

  /** Not before the server has said something: one that accepts and then drops us must get the same back-off as one that refuses. */
  function establish(): void {
    failures = 0
    if (status.kind !== 'connected') setStatus({ kind: 'connected' })
  }

  /** Obtains a new session, then reconnects. The participant decides how long to wait and when to give up. */
  async function rejoin(code: string, message: string): Promise<void> {
    setStatus({ kind: 'rejoining' })
    try {
      if (!presented) throw new NotJoined()
      await renew(presented, refusalOf(code, message))
    } catch (error) {
      end({ kind: 'failed', code, message: asError(error).message })
      return
    }
    connect()
  }

  socket.on('connect_error', (error: Error & { data?: unknown }) => {
    const code = codeIn(error.data)
    if (code !== undefined && sessionLost.has(code)) void rejoin(code, error.message)
    else if (code !== undefined && hopeless.has(code)) end({ kind: 'failed', code, message: error.message })
    // No code: the server or the network is down. ROOM_ELSEWHERE, UNAVAILABLE, RATE_LIMITED and the like are transient.
    else connectLater(code ?? error.message, retryAfterMsIn(error.data))
  })
  socket.on('disconnect', (reason) => {
    if (isFinal(status)) return
    deps.onLost()
    connectLater(reason)
  })
  socket.on('connect', () => deps.onAdmitted?.())
  for (const [name, take] of Object.entries(deps.greetings ?? {}))
    socket.on(name, (payload) => {
      take(payload)
      establish()
    })
  for (const [name, take] of Object.entries(deps.messages ?? {})) socket.on(name, take)
  socket.on('replaced', () => end({ kind: 'replaced' }))

  return {
    socket,
    open: connect,
    establish,
    status: (): ConnectionStatus => status,
    /** When the server was last asked to admit us, by `ownClock.steadyNow`. */
    askedAt: (): number => askedAt,
    isConnected: (): boolean => status.kind === 'connected' && socket.connected,
    close: (): void => end({ kind: 'closed' }),
  }
}

function codeIn(data: unknown): string | undefined {
  return isRecord(data) && typeof data.code === 'string' ? data.code : undefined
}

/** How long the server asks us to wait; never longer than its rate-limit window. */
function retryAfterMsIn(data: unknown): number | undefined {
  if (!isRecord(data) || typeof data.retryAfterSeconds !== 'number') return undefined
  return Math.min(Math.max(0, data.retryAfterSeconds), limits.rateWindowSeconds) * 1000
}

const refusalOf = (code: string, message: string): ApiRefused =>
  new ApiRefused({
    code: isErrorCode(code) ? code : 'UNKNOWN',
    message,
    status: 401,
    details: {},
    retryAfterMs: undefined,
  })
