import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type ErrorCode, errorCatalogue } from '@atrium/contract'

/** What the platform does with the next request, instead of answering it as documented. */
export type Mishap =
  | 'well'
  /** Handles it, but closes the connection without responding. */
  | 'drop_reply'
  /** Closes the connection before doing anything. */
  | 'close'
  /** Never responds. */
  | 'hang'
  /** Something between us and the platform responds. */
  | 'proxy_page'
  | { code: ErrorCode; retryAfter?: string; details?: Record<string, unknown> }

type Endpoint = 'join' | 'events' | 'complete' | 'discover' | 'history'

interface Event {
  eventId: string
  type: string
  data?: Record<string, unknown>
}

interface FakeSession {
  sessionId: string
  participantId: string
  isRevoked: boolean
  completion:
    | { outcome: string; completionCode: string; redirectUrl: string; sessionEnded: boolean }
    | undefined
}

class Refusal extends Error {
  readonly code: ErrorCode
  readonly details: Record<string, unknown>
  constructor(code: ErrorCode, details: Record<string, unknown> = {}) {
    super(code)
    this.code = code
    this.details = details
  }
}

export type FakePlatform = Awaited<ReturnType<typeof startFakePlatform>>

/** The participant API on loopback, as small as the client needs it, which misbehaves on request. */
export async function startFakePlatform({ maxEvents = 500 } = {}) {
  const sessions = new Map<string, FakeSession>()
  const stored: { sessionId: string; participantId: string; event: Event }[] = []
  const requests: { endpoint: Endpoint; sessionId: string | undefined; body: Record<string, unknown> }[] = []
  const mishaps: Record<Endpoint, Mishap[]> = {
    join: [],
    events: [],
    complete: [],
    discover: [],
    history: [],
  }
  const pages = new Map<string, { type: string; body: string }>()
  let closedReason: string | undefined
  let givenRoom: string | undefined
  let asksConsent = false
  const consented = new Set<string>()

  function join(request: IncomingMessage, body: Record<string, unknown>) {
    const token = request.headers.authorization?.replace('Bearer ', '') ?? ''
    if (token === '' || token === 'stale') throw new Refusal('UNAUTHENTICATED')
    if (closedReason !== undefined) throw new Refusal('EXPERIMENT_CLOSED', { reason: closedReason })
    const participantId = `part_${token}`
    for (const session of sessions.values())
      if (session.participantId === participantId) session.isRevoked = true
    const sessionId = `sess_${randomBytes(8).toString('hex')}`
    sessions.set(sessionId, { sessionId, participantId, isRevoked: false, completion: undefined })
    return {
      sessionId,
      sessionToken: `stkn_${sessionId}`,
      participantId,
      roomId: givenRoom ?? `room_${token}`,
      experimentConfig: {
        name: String(body.experimentId),
        states: [],
        globalComponents: [],
        ...(asksConsent && { consent: { text: 'Agree?' } }),
      },
      consentedAt: consented.has(participantId) ? '2026-01-01T00:00:00.000Z' : null,
      expiresAt: '2099-01-01T00:00:00.000Z',
    }
  }

  function sessionOf(request: IncomingMessage, mayBeCompleted: boolean): FakeSession {
    const session = sessions.get(String(request.headers['x-session-id']))
    if (!session || session.isRevoked) throw new Refusal('SESSION_INVALID', { reason: 'revoked' })
    if (request.headers['x-session-token'] !== `stkn_${session.sessionId}`)
      throw new Refusal('SESSION_INVALID', { reason: 'token' })
    if (session.completion && !mayBeCompleted) throw new Refusal('SESSION_COMPLETED')
    return session
  }

  /** R18, as the real one: all or nothing, and an id is stored once per participant. */
  function store({ sessionId, participantId }: FakeSession, events: Event[]) {
    if (events.length > maxEvents) throw new Refusal('PAYLOAD_TOO_LARGE')
    const issues = events.flatMap(({ data }, index) =>
      data?.isBad ? [{ path: `/events/${index}/data`, message: 'is bad' }] : [],
    )
    if (issues.length > 0) throw new Refusal('VALIDATION_FAILED', { issues })
    if (events.some(({ data }) => data?.isBadSecretly)) throw new Refusal('VALIDATION_FAILED')
    const fresh = events.filter((event) => {
      const twin = stored.find(
        (other) => other.participantId === participantId && other.event.eventId === event.eventId,
      )
      if (twin && JSON.stringify(twin.event) !== JSON.stringify(event))
        throw new Refusal('IDEMPOTENCY_CONFLICT', { key: event.eventId })
      return !twin
    })
    for (const { type } of asksConsent ? events : [])
      if (type === 'consent_given') consented.add(participantId)
      else if (type === 'consent_declined') consented.delete(participantId)
      else if (!consented.has(participantId)) throw new Refusal('CONSENT_REQUIRED')
    stored.push(...fresh.map((event) => ({ sessionId, participantId, event })))
    return { recorded: events.length, serverTimestamp: new Date().toISOString() }
  }

  function complete(session: FakeSession, { completionCode }: Record<string, unknown>) {
    session.completion ??= {
      outcome: String(completionCode),
      completionCode: String(completionCode),
      redirectUrl: `https://panel.example/${completionCode}`,
      sessionEnded: true,
    }
    return session.completion
  }

  function answer(endpoint: Endpoint, request: IncomingMessage, body: Record<string, unknown>): object {
    switch (endpoint) {
      case 'join':
        return join(request, body)
      case 'events':
        return store(sessionOf(request, false), body.events as Event[])
      case 'complete':
        return complete(sessionOf(request, true), body)
      case 'discover':
        sessionOf(request, false)
        return { experiments: [], session: { valid: true, expiresIn: 60 } }
      case 'history':
        return { sessions: [] }
    }
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const page = pages.get(request.url ?? '')
    if (page) return void response.writeHead(200, { 'content-type': page.type }).end(page.body)
    const endpoint = (request.url ?? '').split('/').at(-1) as Endpoint
    const body = await bodyOf(request)
    requests.push({ endpoint, sessionId: request.headers['x-session-id']?.toString(), body })
    const mishap = mishaps[endpoint]?.shift() ?? 'well'
    if (mishap === 'hang') return
    if (mishap === 'close') return void request.socket.destroy()
    if (mishap === 'proxy_page') return void response.writeHead(502).end('<h1>Bad gateway</h1>')
    try {
      if (typeof mishap === 'object') {
        if (mishap.retryAfter !== undefined) response.setHeader('retry-after', mishap.retryAfter)
        throw new Refusal(mishap.code, mishap.details)
      }
      const data = answer(endpoint, request, body)
      if (mishap === 'drop_reply') return void request.socket.destroy()
      reply(response, 200, { status: 'success', data })
    } catch (error) {
      const { code, details } = error instanceof Refusal ? error : new Refusal('INTERNAL')
      const { status, sentence } = errorCatalogue[code]
      reply(response, status, { status: 'error', error: { code, message: sentence, details } })
    }
  }

  const server = createServer((request, response) => void serve(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')

  return {
    baseUrl: `http://127.0.0.1:${address.port}`,
    server,
    stored,
    requests,
    mishaps,
    sessions,
    /** For browsers: what else is at this origin, by path. */
    pages,
    storedIds: (): string[] => stored.map(({ event }) => event.eventId),
    revokeAll(): void {
      for (const session of sessions.values()) session.isRevoked = true
    },
    /** The room of every session from now on; by default each person has their own. */
    setRoom(roomId: string): void {
      givenRoom = roomId
    },
    /** R38, as the real one. */
    askConsent(): void {
      asksConsent = true
    },
    withdrawConsents(): void {
      consented.clear()
    },
    closeExperiment(reason: string): void {
      closedReason = reason
    },
    stop(): void {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString()
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
}

function reply(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
