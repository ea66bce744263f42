import type { ClockReport, ExportedStatus } from '@atrium/contract'
import type { OverQuota, Quota } from '../../kernel/quota.ts'
import type { SealingKeys } from '../../kernel/sealed.ts'

export interface EventToStore {
  eventId: string | null
  type: string
  stateId: string | null
  componentId: string | null
  timestamp: number
  /** JSON texts, serialised once at the edge and stored as they are. */
  data: string
  flags: string
  extra: string | null
}

export interface EventBatch {
  sessionId: string
  idempotencyKey: string | null
  /** Identifies the body under its idempotency key; empty without a key. */
  bodyHash: string
  receivedAt: number
  /** When the session began: its page has seen that, if the events are its own. */
  sessionStartedAt?: number
  /** What the page says of its clock. */
  clock?: ClockReport | undefined
  /** R38: stored only while the participant's consent is in force. */
  needsConsent: boolean
  /** R94: opens the identity that is held until the consent in this batch; absent without one. */
  sealing?: SealingKeys
  /** Beyond it the batch is refused. */
  quota: Quota
  events: EventToStore[]
}

export type AppendOutcome =
  | { kind: 'recorded'; recorded: number; receivedAt: number }
  | { kind: 'conflict'; key: string }
  | { kind: 'sealed' }
  | { kind: 'without_consent' }
  /** They agreed after declining, and nobody has a place for them any more (R56). */
  | { kind: 'full' }
  | { kind: 'over_quota'; over: OverQuota }

export interface EventStore {
  /** Stores each batch completely or not at all, in one durable transaction; outcomes are in the same order. */
  append(batches: EventBatch[]): Promise<AppendOutcome[]>
}

/** The data of people and that of pilots are never in one export. */
export type ExportSource = 'people' | 'pilots'

/** R47: whom an export is about, as far as it is not everybody. */
export interface ExportFilters {
  /** They joined then or later. */
  joinedFrom: number | null
  joinedBefore: number | null
  revision: number | null
  /** Agents have no status and are in an export only without this. */
  status: ExportedStatus | null
}

export const everybody: ExportFilters = {
  joinedFrom: null,
  joinedBefore: null,
  revision: null,
  status: null,
}

/** In the order of joining; of those who came in the same millisecond, people first. */
export interface ExportPosition {
  joinedAt: number
  isAgent: boolean
  participantId: string
  startedAt: number
  sessionId: string
  seq: number
}

export interface ExportPage<Position = ExportPosition, Chunk = string> {
  /** Complete lines of JSON, or the next part of another format, ready to be sent. */
  lines: Chunk
  /** Number of lines or rows. */
  events: number
  /** Null on the last page. */
  next: Position | null
}
