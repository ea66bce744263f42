import { limits } from '@atrium/contract'
import { backoffMs, retryDelayMs } from '../backoff.ts'
import { ApiRefused, asError, NotJoined } from '../errors.ts'
import { isErrorCode } from '../http.ts'
import type { Participant } from '../participant-api.ts'
import { isRecord } from '../records.ts'
import type { Session } from '../session.ts'
import { type ConnectionStatus, isFinal } from './connection-status.ts'
import { createSessionSocket, type SessionSocketOptions } from './session-socket.ts'

type Messages = Record<string, (payload: unknown) => void>

export interface SessionConnectionParts extends Pick<SessionSocketOptions, 'namespace' | 'query'> {
  participant: Participant
  /** What the server sends once it has let us in: with the first of these the connection stands. */
  greetings: Messages
  /** What else it sends. */
  messages?: Messages
  onStatus(status: ConnectionStatus): void
  /** The connection is gone; another may follow. */
  onLost(): void
}

/** The session is good, the place is not for it or not for anyone: trying again changes nothing. */
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
/** Another pod takes a room over in about 1.5 s, and others wait for who is away: not as patient as for events. */
const longestDelayMs = 5_000
const sessionLost = new Set(['SESSION_EXPIRED', 'SESSION_INVALID'])

/** Keeps one socket of a session, over broken connections and lost sessions, from `open` until a final status. */
export function createSessionConnection(parts: SessionConnectionParts) {
  const { participant, namespace, query } = parts
  const { baseUrl, userAgent, clock, random, renew } = participant.wiring
  let status: ConnectionStatus = { kind: 'connecting' }
  let presented: Session | undefined
  let failures = 0
  let callOff = (): void => undefined

  const socket = createSessionSocket({
    baseUrl,
    namespace,
    query,
    userAgent,
    auth() {
      presented = participant.session ?? undefined
      return { sessionId: presented?.sessionId ?? '', sessionToken: presented?.token ?? '' }
    },
  })

  function tell(news: ConnectionStatus): void {
    if (isFinal(status)) return
    status = news
    parts.onStatus(news)
  }

  function end(last: ConnectionStatus): void {
    if (isFinal(status)) return
    callOff()
    tell(last)
    socket.disconnect()
    parts.onLost()
  }

  function connect(): void {
    if (isFinal(status)) return
    tell({ kind: 'connecting' })
    socket.connect()
  }

  function connectLater(because: string, retryAfterMs?: number): void {
    if (isFinal(status)) return
    failures++
    const delayMs =
      retryAfterMs === undefined
        ? backoffMs(failures, random, longestDelayMs)
        : retryDelayMs(failures, retryAfterMs, random)
    tell({ kind: 'reconnecting', attempt: failures, delayMs, because })
    callOff()
    callOff = clock.after(delayMs, connect)
  }

  /** A new session, then the same place again. The participant waits and gives up by its own rules. */
  async function rejoin(code: string, message: string): Promise<void> {
    tell({ kind: 'rejoining' })
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
    // No code: the server or the network is not there. ROOM_ELSEWHERE, UNAVAILABLE, RATE_LIMITED and the like pass.
    else connectLater(code ?? error.message, retryAfterMsIn(error.data))
  })
  socket.on('disconnect', (reason) => {
    if (isFinal(status)) return
    parts.onLost()
    connectLater(reason)
  })
  for (const [name, take] of Object.entries(parts.greetings))
    socket.on(name, (payload) => {
      // Only now: a server that accepts and then drops us must meet the same back-off as one that refuses.
      failures = 0
      take(payload)
      if (status.kind !== 'connected') tell({ kind: 'connected' })
    })
  for (const [name, take] of Object.entries(parts.messages ?? {})) socket.on(name, take)
  socket.on('replaced', () => end({ kind: 'replaced' }))

  return {
    socket,
    open: connect,
    status: (): ConnectionStatus => status,
    isConnected: (): boolean => status.kind === 'connected' && socket.connected,
    close: (): void => end({ kind: 'closed' }),
  }
}

function codeIn(data: unknown): string | undefined {
  return isRecord(data) && typeof data.code === 'string' ? data.code : undefined
}

/** How long the server asks us to stay away; never longer than a window of its limits. */
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
