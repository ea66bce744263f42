import { type JoinBody, participantCalls } from '@atrium/contract'
import { backoffMs, retryDelayMs } from './backoff.ts'
import { type Clock, createRests } from './clock.ts'
import { ApiRefused, asError, NotJoined, Stopped } from './errors.ts'
import type { DataOf, Http } from './http.ts'
import type { OwnClock } from './own-clock.ts'
import type { ParticipantStatus } from './status.ts'
import { isPassing, isSessionLost } from './verdict.ts'

type JoinData = DataOf<(typeof participantCalls)['joinV4']>

export interface Session
  extends Pick<
    JoinData,
    'sessionId' | 'participantId' | 'roomId' | 'experimentConfig' | 'consentedAt' | 'expiresAt'
  > {
  token: string
}

/** R17: what the session names instead of a room while the group is not complete. */
export const waitingRoomOf = (experimentId: string): string => `waiting_${experimentId}`
export const isWaitingRoom = (roomId: string): boolean => roomId.startsWith('waiting_')

export type GetIdToken = (wish: { isRefresh: boolean }) => string | Promise<string>

/** Makes calls on behalf of the person named in the token. If it has expired, tries once more with a fresh one. */
export async function withIdToken<Result>(
  getIdToken: GetIdToken,
  call: (headers: Record<string, string>) => Promise<Result>,
): Promise<Result> {
  const ask = async (isRefresh: boolean) =>
    await call({ authorization: `Bearer ${await getIdToken({ isRefresh })}` })
  return await ask(false).catch((error: unknown) => {
    if (error instanceof ApiRefused && error.code === 'UNAUTHENTICATED') return ask(true)
    throw error
  })
}

export interface SessionDeps {
  http: Http
  getIdToken: GetIdToken
  clock: Clock
  ownClock: OwnClock
  random: () => number
  /** Whether this tab may join again on its own; another may have taken over. */
  mayRejoin(): boolean
  onStatus(status: ParticipantStatus): void
}

/** A first `join` rejects after this many failures; rejoining keeps trying, since nobody is waiting for it. */
const maxJoinAttempts = 4
/** A session lost sooner than this did not expire: somebody else has joined as the same person. */
const shortLifeMs = 60_000
/** Two devices would take the session from each other forever. After this many short sessions in a row we give up. */
const maxShortLives = 5

/**
 * A tab that takes over joins first, which ends the session here, and then claims the right to send. For this long, a
 * lost session may mean such a tab: rejoining at once would take the session back, and so on up to the limit of joins.
 */
const otherTabMs = 500

export type SessionKeeper = ReturnType<typeof createSessionKeeper>

/** Keeps the session, in memory only, and obtains another when it is lost. */
export function createSessionKeeper(deps: SessionDeps) {
  const { http, getIdToken, clock, ownClock, random, mayRejoin, onStatus } = deps
  let wanted: JoinBody | undefined
  let session: Session | undefined
  let joinedAt = 0
  let shortLives = 0
  let renewal: Promise<Session> | undefined
  let stopped: Stopped | undefined
  const rests = createRests(clock)

  async function askToJoin(body: JoinBody): Promise<Session> {
    const data = await withIdToken(getIdToken, async (headers) => {
      const askedAt = ownClock.steadyNow()
      const answer = await http(participantCalls.joinV4, { headers, body })
      ownClock.answered(askedAt, ownClock.steadyNow())
      return answer
    })
    const { sessionToken: token, ...joined } = data
    joinedAt = clock.now()
    const { sessionId, participantId, roomId, experimentConfig, consentedAt, expiresAt } = joined
    return { sessionId, token, participantId, roomId, experimentConfig, consentedAt, expiresAt }
  }

  /** Retries transient failures. A failing `getIdToken` counts as one: its issuer may be unreachable. */
  async function joinPatiently(body: JoinBody, maxAttempts: number): Promise<Session> {
    for (let failures = 1; ; failures++) {
      if (stopped) throw stopped
      try {
        return await askToJoin(body)
      } catch (error) {
        const refusal = error instanceof ApiRefused ? error : undefined
        if ((refusal && !isPassing(refusal)) || failures >= maxAttempts) throw error
        await rests.rest(retryDelayMs(failures, refusal?.retryAfterMs, random), 'close')
      }
    }
  }

  /** Nothing more is requested from the server until `join` is called again. */
  function stop(reason: Stopped['reason'], cause: Error): Stopped {
    const refusal = cause instanceof ApiRefused ? cause : undefined
    stopped = new Stopped(reason, cause.message, cause)
    onStatus({
      kind: 'stopped',
      code: refusal?.code ?? 'UNKNOWN',
      message: cause.message,
      details: refusal?.details ?? {},
    })
    return stopped
  }

  async function joinAgain(body: JoinBody, because: ApiRefused): Promise<Session> {
    shortLives = clock.now() - joinedAt < shortLifeMs ? shortLives + 1 : 0
    if (shortLives > maxShortLives) throw stop('contested', because)
    onStatus({ kind: 'rejoining', because: because.code })
    const backoff = shortLives > 1 ? backoffMs(shortLives, random) : 0
    await rests.rest(Math.max(otherTabMs, backoff), 'close')
    if (!mayRejoin()) throw replaced()
    try {
      session = await joinPatiently(body, Number.POSITIVE_INFINITY)
    } catch (error) {
      throw error instanceof Stopped ? error : stop('refused', asError(error))
    }
    onStatus({ kind: 'joined' })
    return session
  }

  /** Replaces a session that was refused; concurrent callers get the same new one. */
  async function renew(lost: { sessionId: string }, because: ApiRefused): Promise<Session> {
    if (stopped) throw stopped
    if (!wanted || !session) throw new NotJoined()
    if (session.sessionId !== lost.sessionId) return session
    if (!mayRejoin()) throw replaced()
    renewal ??= joinAgain(wanted, because).finally(() => {
      renewal = undefined
    })
    return await renewal
  }

  return {
    current: (): Session | undefined => session,
    stopped: (): Stopped | undefined => stopped,
    stop,
    async join(body: JoinBody): Promise<Session> {
      // Two joins at once would revoke each other's session.
      await renewal?.catch(() => undefined)
      if (stopped?.reason === 'closed') throw stopped
      wanted = body
      stopped = undefined
      shortLives = 0
      session = await joinPatiently(body, maxJoinAttempts)
      onStatus({ kind: 'joined' })
      return session
    },
    renew,
    /** The group is complete and the session has a room. */
    assignRoom(roomId: string): void {
      if (session) session = { ...session, roomId }
    },
    /** Notes what the server knows about the consent. */
    noteConsent(consentedAt: string | null): void {
      if (session) session = { ...session, consentedAt }
    },
    async withSession<Result>(call: (session: Session) => Promise<Result>): Promise<Result> {
      for (;;) {
        if (!session) throw new NotJoined()
        const used = session
        try {
          return await call(used)
        } catch (error) {
          if (!isSessionLost(error)) throw error
          // Ends at the latest when the session has been lost too many times.
          await renew(used, error)
        }
      }
    },
    close(): void {
      stopped = new Stopped('closed', 'The participant was closed.')
      rests.call('close')
    },
  }
}

const replaced = () => new Stopped('replaced', 'Another tab of this browser has taken over.')

/** What a request needs of a session. */
export type Credential = Pick<Session, 'sessionId' | 'token'>

export const sessionHeaders = ({ sessionId, token }: Credential): Record<string, string> => ({
  'x-session-id': sessionId,
  'x-session-token': token,
})
