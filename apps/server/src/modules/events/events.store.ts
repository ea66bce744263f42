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
  /** R38: stored only while the participant's consent is in force. */
  needsConsent: boolean
  events: EventToStore[]
}

export type AppendOutcome =
  | { kind: 'recorded'; recorded: number; receivedAt: number }
  | { kind: 'conflict'; key: string }
  | { kind: 'sealed' }
  | { kind: 'without_consent' }
  /** They agreed after declining, and nobody has a place for them any more (R56). */
  | { kind: 'full' }

export interface EventStore {
  /** Stores each batch completely or not at all, in one durable transaction; outcomes are in the same order. */
  append(batches: EventBatch[]): Promise<AppendOutcome[]>
  /** The next lines of the export after a position: of people and the agents that play with them, or of pilots. */
  exportPage(experimentId: string, after: ExportPosition | null, source?: ExportSource): Promise<ExportPage>
}

/** The data of people and that of pilots are never in one export. */
export type ExportSource = 'people' | 'pilots'

/** In the order of joining; of those who came in the same millisecond, people first. */
export interface ExportPosition {
  joinedAt: number
  isAgent: boolean
  participantId: string
  startedAt: number
  sessionId: string
  seq: number
}

export interface ExportPage<Position = ExportPosition> {
  /** Complete lines of JSON, ready to be sent. */
  lines: string
  /** Number of lines. */
  events: number
  /** Null on the last page. */
  next: Position | null
}
