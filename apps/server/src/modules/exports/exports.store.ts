import type { DropReason, EventFlag, SessionStatus } from '@atrium/contract'
import type { Rows } from '@atrium/flow'
import type { ExportFilters, ExportPosition, ExportSource } from '../events/index.ts'

export interface ExportSelection {
  experimentId: string
  source: ExportSource
  filters: ExportFilters
}

/** A session of a participant, or the record of an agent, with what is known of them. */
export interface ExportedSession {
  participantId: string
  /** R59: the pseudonym. */
  sessionId: string
  revision: number
  roomId: string | null
  /** R68: null where the study has one. */
  stage: string | null
  condition: string | null
  role: string | null
  alias: string | null
  /** The id in the definition; null for people. */
  agent: string | null
  isSynthetic: boolean
  joinedAt: number
  outcome: string | null
  completionCode: string | null
  consentedAt: number | null
  completedAt: number | null
  eventCount: number
  /** Null for agents, like the next. */
  language: string | null
  softwareVersion: string | null
  /** Of the session; null for agents. */
  status: SessionStatus | null
  lastActivityAt: number | null
  /** R92: as stored; null for those who completed, and where nobody knew when they stopped. */
  droppedAt: number | null
  droppedState: string | null
  dropReason: DropReason | null
}

/** An event as stored; `data` and `extra` are JSON. */
export interface StoredEvent {
  seq: number
  type: string
  serverTime: number
  /** Null where the server acted. */
  clientTime: number | null
  clockOffsetMs: number | null
  clockErrorMs: number | null
  stateId: string | null
  componentId: string | null
  eventId: string | null
  round: number | null
  visit: number | null
  roomSeq: number | null
  flags: EventFlag[]
  data: string
  extra: string | null
}

/** Some events of a session, in order. The sessions of a participant follow each other. */
export interface SessionPart {
  session: ExportedSession
  /** Nothing of the session was on an earlier page. */
  isFirst: boolean
  events: StoredEvent[]
}

/** A page whose end is known before it is read, so that the next one need not wait for it. */
export interface PagePlan {
  /** What the store has planned, for the store. */
  reading: unknown
  /** Null on the last page. */
  next: ExportPosition | null
}

/** Where a `variables_changed` row of a room is in its order. */
export interface ChangePosition {
  roomSeq: number
  seq: number
  streamNo: number
}

export interface ChangesPage {
  /** JSON, as in `data` of the events. */
  changes: string[]
  next: ChangePosition | null
}

/** Who somebody is. */
export interface ExportedPerson {
  participantId: string
  issuer: string
  subject: string
  attempt: number
  revision: number
  joinedAt: number
  outcome: string | null
  completedAt: number | null
  /** JSON, as sent on joining. */
  metadata: string
}

export type PersonPlace = Pick<ExportedPerson, 'joinedAt' | 'participantId'>

/** R90: what somebody was assigned when a room of theirs began. */
export interface StoredAssignment
  extends Pick<ExportedSession, 'participantId' | 'stage' | 'condition' | 'alias'> {
  roomId: string
  role: string
  roomSeed: string
  roomOrdinal: number
  /** Null for people in rooms that began before this was stored, or where nothing is drawn. */
  stored: {
    ordinal: number
    /** Where everyone moves alone, index of the seat that random orders are drawn for. */
    seat: number | null
    rows: Rows
  } | null
  /** Null if the room was not opened after all. */
  assignedAt: number | null
}

/** An answer that a page sent over HTTP, in a visit of a room to a state. */
export interface SentAnswer {
  participantId: string
  stateId: string
  componentId: string
  visit: number
}

/** R47: what tables are made of. */
export interface ExportStore {
  /**
   * The next pages, one at least and so many at most; with `types`, only events of these. Every selected session is in
   * them, also without events.
   */
  plan(
    selection: ExportSelection,
    types: readonly string[] | null,
    after: ExportPosition | null,
    maxPages: number,
  ): Promise<PagePlan[]>
  /** What is on a page. */
  parts(plan: PagePlan): Promise<SessionPart[]>
  /** The same as complete lines of JSON, ready to be sent, and how many they are. */
  lines(plan: PagePlan): Promise<{ lines: string; events: number }>
  /** The revisions that participants joined and agents played, in ascending order. */
  revisions(experimentId: string): Promise<number[]>
  /** Who is in these rooms, agents but no mediators included, by room. */
  members(roomIds: readonly string[]): Promise<[roomId: string, participantIds: string[]][]>
  /** Of those of these people whose room has begun. */
  assignments(participantIds: readonly string[]): Promise<StoredAssignment[]>
  /** Those of these people that the room did not take, and so calls missing. */
  sentAnswers(participantIds: readonly string[]): Promise<SentAnswer[]>
  /** How the variables of a room itself changed, which one of its members has on record. */
  roomChanges(roomId: string, after: ChangePosition | null): Promise<ChangesPage>
  /** The next people who are selected, in the order of joining. */
  people(selection: ExportSelection, after: PersonPlace | null, limit: number): Promise<ExportedPerson[]>
  /** The id of a participant's or agent's session, by its pseudonym. */
  sessionOf(participantId: string, pseudonym: string): Promise<string | undefined>
}
