import type { participantRoutes } from '@atrium/contract'
import type { UnloadTarget } from './browser-events.ts'
import type { Clock } from './clock.ts'
import type { Completion, CompletionRequest } from './complete.ts'
import type { ApiRefused } from './errors.ts'
import type { DataOf, Fetch } from './http.ts'
import type { EventToRecord } from './participation.ts'
import type { Quarantined, QueueStore } from './queue/queue-store.ts'
import type { Safety } from './safety.ts'
import type { GetIdToken, Session } from './session.ts'
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

/** What a connection to the waiting room or a room needs of its participant. */
export interface Wiring {
  baseUrl: string
  userAgent: string | undefined
  clock: Clock
  random: () => number
  /** Another session in place of one that a socket was refused with. */
  renew(lost: { sessionId: string }, because: ApiRefused): Promise<Session>
  assignRoom(roomId: string): void
  /** The server has completed the session by itself. */
  noteCompleted(): void
  /** Counts actions into `unsafe()`. Call `check` when the count has changed. */
  countUnsafe(count: () => number): { check(): void; remove(): void }
}

type Discovery = DataOf<(typeof participantRoutes)['discoverV4']>
type History = DataOf<(typeof participantRoutes)['historyV4']>['sessions']

export interface Participant {
  /** In memory only, so null after a reload until `join` is called again. */
  readonly session: Session | null
  readonly status: ParticipantStatus
  onStatus(listener: (status: ParticipantStatus) => void): () => void
  /** Joins or resumes. Called again after `stopped` or `replaced`, it takes the participation back to here. */
  join(experimentId: string, options?: JoinOptions): Promise<Session>
  /** Whether the experiment asks for consent that has not been given; on no device, not only on this one. */
  readonly needsConsent: boolean
  /** Resolves when the server has stored it; rejects with NotSafe, and is sent later all the same. */
  giveConsent(data?: Record<string, unknown>): Promise<void>
  /** As `giveConsent`. Then `complete` with NO_CONSENT. */
  declineConsent(data?: Record<string, unknown>): Promise<void>
  /** Resolves with the event's id once it is durable here; it is sent in the background. ConsentRequired before consent. */
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
  /** For `connectWaiting` and `connectRoom`. */
  readonly wiring: Wiring
}
