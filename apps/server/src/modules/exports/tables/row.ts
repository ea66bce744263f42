import type { ExportedSession, SessionPart, StoredEvent } from '../exports.store.ts'

/** A cell by its column: JSON text in `json` columns, epoch milliseconds in `time` columns. Undefined is the same as null. */
export type Cell = string | number | boolean | null | undefined
export type Row = Readonly<Record<string, Cell>>

/** Turns what is stored into rows, page by page. Keeps only what the rows under way need. */
export interface TableRows {
  /** Types of the events that it needs; null for all. */
  types: readonly string[] | null
  /** The rows that are complete after a page. */
  rowsOf(parts: readonly SessionPart[], isLast: boolean): Row[] | Promise<Row[]>
}

/** For tables that have rows for some of the events, each by itself. */
export const rowPerEvent = (
  types: readonly string[] | null,
  rowFor: (event: StoredEvent, session: ExportedSession) => Row | readonly Row[] | undefined,
): TableRows => ({
  types,
  rowsOf: (parts) =>
    parts.flatMap(({ session, events }) => events.flatMap((event) => rowFor(event, session) ?? [])),
})

/** R54: what every row says about its participant. */
export const whoOf = (session: ExportedSession) => ({
  participantId: session.participantId,
  sessionId: session.sessionId,
  revision: session.revision,
  roomId: session.roomId,
  stage: session.stage,
  condition: session.condition,
  role: session.role,
  alias: session.alias,
  agent: session.agent,
})

/**
 * RM217: in a room where roles rotate, its rows say which one somebody had. Looked for before anything is parsed, because there are
 * millions of events.
 */
const roleAt = (event: StoredEvent, session: ExportedSession): string | null =>
  (originOf(event) === 'room' && event.data.includes('"role"') && textIn(dataOf(event).role)) || session.role

/** The same for what somebody did in a role. */
export const whoAt = (event: StoredEvent, session: ExportedSession) => ({
  ...whoOf(session),
  role: roleAt(event, session),
})

/** When and where something happened. */
export const placeOf = (event: StoredEvent) => ({
  seq: event.seq,
  stateId: event.stateId,
  componentId: event.componentId,
  round: event.round,
  visit: event.visit,
  timestamp: event.clientTime,
  receivedAt: event.serverTime,
  ...timesOf(event),
  roomSeq: event.roomSeq,
})

/** R88: each by one clock. */
export const timesOf = ({ serverTime, clientTime, clockOffsetMs, clockErrorMs }: StoredEvent) => ({
  serverTime,
  clientTime,
  clockOffsetMs,
  clockErrorMs,
})

export const originOf = ({ roomSeq }: Pick<StoredEvent, 'roomSeq'>): 'client' | 'room' =>
  roomSeq === null ? 'client' : 'room'

/** Absent for people. */
export const markOf = ({ isSynthetic }: ExportedSession) => ({ synthetic: isSynthetic || undefined })

/** The data of an event, which is an object; what is in it depends on its type and its sender. */
export const dataOf = ({ data }: Pick<StoredEvent, 'data'>): Record<string, unknown> => JSON.parse(data)

export const textIn = (value: unknown): string | null => (typeof value === 'string' ? value : null)
export const numberIn = (value: unknown): number | null => (typeof value === 'number' ? value : null)
export const jsonOf = (value: unknown): string | null =>
  value === undefined || value === null ? null : JSON.stringify(value)
