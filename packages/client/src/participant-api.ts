import type { PlayableFile, PlayableVideo, participantCalls } from '@atrium/contract'
import type { UnloadTarget } from './browser-events.ts'
import type { Clock } from './clock.ts'
import type { Completion, CompletionRequest } from './complete.ts'
import type { ApiRefused } from './errors.ts'
import type { DataOf, Fetch } from './http.ts'
import type { OwnClock } from './own-clock.ts'
import type { EventToRecord } from './participation.ts'
import type { Quarantined, QueueStore } from './queue/queue-store.ts'
import type { Safety } from './safety.ts'
import type { GetIdToken, Session } from './session.ts'
import type { ParticipantStatus } from './status.ts'

export interface ParticipantOptions {
  /** URL of the platform, e.g. https://lab.example.org. */
  baseUrl: string
  /** Returns an ID token; `isRefresh` is set when the previous one was refused. */
  getIdToken: GetIdToken
  /** Where events are queued. IndexedDB in browsers by default, memory elsewhere. */
  queueStore?: QueueStore
  fetch?: Fetch
  clock?: Clock
  /** In [0, 1), for jitter. */
  random?: () => number
  /** For programs only; browsers send their own. */
  userAgent?: string
}

export interface JoinOptions {
  /** Languages that the participant reads, preferred first: `navigator.languages`. */
  languages?: string[]
  role?: string
  metadata?: Record<string, unknown>
}

/** What connections to the waiting room and to rooms need from their participant. */
export interface Wiring {
  baseUrl: string
  userAgent: string | undefined
  clock: Clock
  random: () => number
  ownClock: OwnClock
  /** Replaces a session that a socket was refused with. */
  renew(lost: { sessionId: string }, because: ApiRefused): Promise<Session>
  assignRoom(roomId: string): void
  /** The server has completed the session on its own. */
  noteCompleted(): void
  /** Includes a count of actions in `unsafe()`. Call `check` when the count has changed. */
  countUnsafe(count: () => number): { check(): void; remove(): void }
}

export type UploadedFile = DataOf<(typeof participantCalls)['fileV4']>
type Discovery = DataOf<(typeof participantCalls)['discoverV4']>
type History = DataOf<(typeof participantCalls)['historyV4']>['sessions']

export interface Participant {
  /** In memory only, so null after a reload until `join` is called again. */
  readonly session: Session | null
  readonly status: ParticipantStatus
  onStatus(listener: (status: ParticipantStatus) => void): () => void
  /** Joins or resumes. Called after `stopped` or `replaced`, it brings the participation back here. */
  join(experimentId: string, options?: JoinOptions): Promise<Session>
  /** Whether the experiment requires consent that has not been given, on this or any other device. */
  readonly needsConsent: boolean
  /** Resolves once the server has stored it. If it rejects with NotSafe, it is still sent later. */
  giveConsent(data?: Record<string, unknown>): Promise<void>
  /** As `giveConsent`. Then `complete` with NO_CONSENT. */
  declineConsent(data?: Record<string, unknown>): Promise<void>
  /** Resolves with the event's id once it is durable locally; it is sent in the background. ConsentRequired before consent. */
  record(event: EventToRecord): Promise<string>
  /** The shortest round trip to the server so far, in milliseconds; undefined until the server has been heard. */
  readonly networkDelayMs: number | undefined
  /** Number of events and room actions that the server has not acknowledged, without quarantined events. */
  unsafe(): number
  onSafety(listener: (safety: Safety) => void): () => void
  quarantined(): Promise<Quarantined[]>
  /** Resolves once nothing is pending; rejects with NotSafe. */
  flush(options?: { timeoutMs?: number }): Promise<void>
  complete(request: CompletionRequest): Promise<Completion>
  /**
   * Deletes the participant, or who they are, where the experiment allows it (`withdrawal` in its configuration). The session
   * is over then.
   */
  withdraw(): Promise<void>
  discover(): Promise<Discovery>
  /** R32: where the uploaded videos of the room can be played, for a limited time. */
  media(): Promise<PlayableVideo[]>
  /** R67: where the uploaded pictures and sounds of the room are, for a limited time. */
  mediaFiles(): Promise<PlayableFile[]>
  /** Stores a file for a component that takes one. The response to the component then names what this returns. */
  uploadFile(componentId: string, file: Blob, name: string): Promise<UploadedFile>
  history(): Promise<History>
  /** In browsers: asks before leaving the page while something is unsafe. The returned function stops that. */
  warnWhileUnsafe(window: UnloadTarget): () => void
  /** Stops sending; pending events stay in the queue. */
  close(): Promise<void>
  /** For `connectWaiting` and `connectRoom`. */
  readonly wiring: Wiring
}
