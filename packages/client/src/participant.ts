import { participantRoutes } from '@atrium/contract'
import { isBrowser, type UnloadTarget, warnWhile, whenOnline } from './browser-events.ts'
import { type Clock, systemClock } from './clock.ts'
import { type Completion, type CompletionRequest, completeWith, completionBody } from './complete.ts'
import { type ApiRefused, NotJoined } from './errors.ts'
import { untilSafe } from './flush.ts'
import { createHttp, type DataOf, type Fetch } from './http.ts'
import { createListeners } from './listeners.ts'
import { type EventToRecord, openParticipation, type Participation } from './participation.ts'
import { defaultQueueStore } from './queue/default-queue.ts'
import type { Quarantined, QueueStore } from './queue/queue-store.ts'
import { createSafety, type Safety } from './safety.ts'
import { createSessionKeeper, type GetIdToken, type Session, sessionHeaders } from './session.ts'
import type { ParticipantStatus } from './status.ts'

export interface ParticipantOptions {
  /** Where the platform is, e.g. https://lab.example.org. */
  baseUrl: string
  /** Gives an ID token; `isRefresh` when the one before was refused. */
  getIdToken: GetIdToken
  /** Where events wait. By default IndexedDB in browsers, memory elsewhere. */
  queueStore?: QueueStore
  fetch?: Fetch
  clock?: Clock
  /** From 0 up to 1, for jitter. */
  random?: () => number
  /** Programs only; browsers send their own. */
  userAgent?: string
}

export interface JoinOptions {
  role?: string
  metadata?: Record<string, unknown>
}

/** What a room connection needs of its participant. */
export interface Wiring {
  baseUrl: string
  userAgent: string | undefined
  clock: Clock
  random: () => number
  /** Another session in place of one that a socket was refused with. */
  renew(lost: { sessionId: string }, because: ApiRefused): Promise<Session>
  /** Counts actions into `unsafe()`. Call `check` when the count has changed. */
  countUnsafe(count: () => number): { check(): void; remove(): void }
}

const defaultTimeoutMs = 30_000

type Discovery = DataOf<(typeof participantRoutes)['discoverV4']>
type History = DataOf<(typeof participantRoutes)['historyV4']>['sessions']

export interface Participant {
  /** In memory only, so null after a reload until `join` is called again. */
  readonly session: Session | null
  readonly status: ParticipantStatus
  onStatus(listener: (status: ParticipantStatus) => void): () => void
  /** Joins or resumes. Called again after `stopped` or `replaced`, it takes the participation back to here. */
  join(experimentId: string, options?: JoinOptions): Promise<Session>
  /** Resolves with the event's id once it is durable here; it is sent in the background. */
  record(event: EventToRecord): Promise<string>
  /** How many events and room actions the server has not acknowledged. Quarantined events are not among them. */
  unsafe(): number
  onSafety(listener: (safety: Safety) => void): () => void
  quarantined(): Promise<Quarantined[]>
  /** Resolves when nothing is pending; rejects with NotSafe. */
  flush(options?: { timeoutMs?: number }): Promise<void>
  complete(request: CompletionRequest): Promise<Completion>
  discover(): Promise<Discovery>
  history(): Promise<History>
  /** Browsers: asks before the page is left while something is unsafe. The returned function ends that. */
  warnWhileUnsafe(window: UnloadTarget): () => void
  /** Stops sending; what waits stays in its queue. */
  close(): Promise<void>
  /** For `connectRoom`. */
  readonly wiring: Wiring
}

export function createParticipant(options: ParticipantOptions): Participant {
  const parts = partsOf(options)
  const { baseUrl, http, clock, random } = parts
  const statuses = createListeners<ParticipantStatus>()
  const actionCounts = new Set<() => number>()
  let status: ParticipantStatus = { kind: 'idle' }
  let participation: Participation | undefined
  let startedAt = 0

  function tell(news: ParticipantStatus): void {
    status = news
    statuses.tell(news)
    safety.check()
  }
  const keeper = createSessionKeeper({
    ...{ ...parts, tell },
    mayRejoin: () => participation?.mayRejoin() ?? true,
  })
  const unsafe = (): number =>
    [...actionCounts].reduce((sum, count) => sum + count(), participation?.unsafe() ?? 0)
  const safety = createSafety(() => {
    const state = participation?.state()
    return {
      pending: unsafe(),
      quarantined: state?.counts.quarantined ?? 0,
      isOnline: state?.isOnline ?? true,
      lastError: keeper.stopped() ?? state?.lastError,
    }
  })
  const stopListening = whenOnline(() => participation?.call('hurry'))

  function joined(): Participation {
    if (!participation) throw new NotJoined()
    return participation
  }

  async function enter(participantId: string, experimentId: string): Promise<void> {
    // The participant's id stays when they resume and is another when they take part once more (R14), so events of
    // one participation can never be sent as those of another.
    const key = `${baseUrl} ${experimentId} ${participantId}`
    if (participation?.key === key && participation.mayRejoin()) return participation.call('hurry')
    await participation?.close()
    startedAt = clock.now()
    participation = await openParticipation({
      ...{ ...parts, key, keeper },
      onRight: (isHeld) => tell({ kind: isHeld ? 'joined' : 'replaced' }),
      onChange: () => safety.check(),
    })
    safety.check()
  }

  async function flush({ timeoutMs = defaultTimeoutMs } = {}): Promise<void> {
    const calmDown = joined().hurry()
    const waiting = { clock, onSafety: safety.add, stopped: keeper.stopped }
    await untilSafe(waiting, timeoutMs).finally(calmDown)
  }

  return {
    get session() {
      return keeper.current() ?? null
    },
    get status() {
      return status
    },
    onStatus: statuses.add,
    async join(experimentId, more = {}) {
      const session = await keeper.join({ experimentId, ...more })
      await enter(session.participantId, experimentId)
      return session
    },
    record: async (event) => await joined().record(event),
    unsafe,
    onSafety: safety.add,
    quarantined: async () => await joined().quarantined(),
    flush,
    async complete({ timeoutMs = defaultTimeoutMs, force = false, ...request }) {
      await flush({ timeoutMs }).catch((error: unknown) => {
        if (!force) throw error
      })
      const counts = await joined().counts()
      const body = completionBody(request, counts, clock.now() - startedAt)
      const completion = await completeWith({ http, clock, random, keeper }, body, timeoutMs)
      tell({ kind: 'completed' })
      return completion
    },
    discover: () =>
      keeper.withSession((session) =>
        http(participantRoutes.discoverV4, { headers: sessionHeaders(session) }),
      ),
    async history() {
      const authorization = `Bearer ${await options.getIdToken({ isRefresh: false })}`
      return (await http(participantRoutes.historyV4, { headers: { authorization } })).sessions
    },
    warnWhileUnsafe: (window) => warnWhile(() => unsafe() > 0, window),
    async close() {
      stopListening()
      keeper.close()
      await participation?.close()
      tell({ kind: 'closed' })
    },
    wiring: {
      ...parts,
      renew: keeper.renew,
      countUnsafe(count) {
        actionCounts.add(count)
        return { check: safety.check, remove: () => void actionCounts.delete(count) }
      },
    },
  }
}

function partsOf(options: ParticipantOptions) {
  const { getIdToken, clock = systemClock, random = Math.random } = options
  const baseUrl = options.baseUrl.replace(/\/+$/, '')
  const userAgent = options.userAgent ?? (isBrowser() ? undefined : 'atrium-client/0.1')
  const fetch: Fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init))
  const http = createHttp({ baseUrl, fetch, clock, userAgent })
  return {
    baseUrl,
    getIdToken,
    clock,
    random,
    userAgent,
    http,
    store: options.queueStore ?? defaultQueueStore(),
  }
}
