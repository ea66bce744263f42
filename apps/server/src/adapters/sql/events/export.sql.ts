import type { EventFlag, ExportedEvent } from '@atrium/contract'
import { sql } from 'kysely'
import { hideSessionIds, pseudonymOf } from '../../../kernel/ids.ts'
import type { ExportPage, ExportPosition, ExportSource } from '../../../modules/events/events.store.ts'
import type { Sql, Tables } from '../tables.ts'
import { type ExportedStream, streamsFrom } from './exported-streams.sql.ts'

/**
 * What one turn reads, so that a turn is short whatever the events contain: on PostgreSQL the main thread builds the
 * lines. An event may be as large as a request; at least one is always read, and nothing after it that does not fit.
 */
const streamsPerPage = 100
const eventsPerPage = 500
const bytesPerPage = 262_144
/** Approximate size of a line without `data` and `extra`. */
const bytesPerLine = 450
/** The role of everyone who has not been given one. */
const unassignedRole = 'participant'
/** The largest possible `seq`: PostgreSQL refuses to compare its integers with anything larger. */
const pastTheLast = 2 ** 31 - 1

/**
 * Walks the sessions of an experiment in the order of joining, agents among them, and each one's events by key. Every
 * step reads from an index, so a page costs the same at the end of a large export as at its start.
 */
export async function exportPage(
  { db }: Sql,
  experimentId: string,
  after: ExportPosition | null,
  source: ExportSource = 'people',
): Promise<ExportPage> {
  const streams = await streamsFrom(db, experimentId, after, source, streamsPerPage)
  const page: ExportPage = { lines: '', events: 0, next: null }
  for (const stream of streams) {
    const { joinedAt, isAgent, participantId, startedAt, sessionId } = stream
    const isWanted = stream.isSynthetic === (source === 'pilots')
    const seen = after?.sessionId === sessionId ? after.seq : 0
    const rows = isWanted && seen < stream.lastSeq ? await eventsAfter(db, stream.streamNo, seen, page) : []
    page.lines += linesOf(rows, stream)
    page.events += rows.length
    const last = rows.at(-1)?.seq
    const isWhole = last === undefined || last >= stream.lastSeq
    const seq = isWhole ? pastTheLast : last
    page.next = { joinedAt, isAgent, participantId, startedAt, sessionId, seq }
    if (!isWhole || page.events >= eventsPerPage || page.lines.length >= bytesPerPage) return page
  }
  return streams.length === streamsPerPage ? page : { ...page, next: null }
}

/** As many of the next events as fit on the page, by size alone: neither engine reads a text to know its length. */
async function eventsAfter(
  db: Sql['db'],
  streamNo: number,
  seen: number,
  { events, lines }: ExportPage,
): Promise<Tables['events'][]> {
  const { rows } = await sql<Tables['events']>`
    with sized as (
      select seq, octet_length(data) + coalesce(octet_length(extra), 0) + ${sql.lit(bytesPerLine)} as bytes
      from events where stream_no = ${streamNo} and seq > ${seen}
      order by seq limit ${eventsPerPage - events}
    ), placed as (
      select seq, sum(bytes) over (order by seq) - bytes as bytes_before from sized
    )
    select * from events where stream_no = ${streamNo} and seq > ${seen}
      and seq <= (select max(seq) from placed where bytes_before < ${bytesPerPage - lines.length})
    order by seq`.execute(db)
  return rows
}

function linesOf(rows: readonly Tables['events'][], stream: ExportedStream): string {
  const { participantId, sessionId, revision, roomId, condition, role, alias, agent } = stream
  const who = { participantId, sessionId: pseudonymOf(sessionId) }
  // People who wait for a room get their role with it.
  const given = roomId === null && role === unassignedRole ? null : role
  const where = { revision, roomId, condition, role: given, alias, agent }
  const mark = stream.isSynthetic ? ',"synthetic":true' : ''
  return hideSessionIds(rows.map((row) => lineOf(row, who, where, mark)).join(''))
}

/** `data` and `extra` are already JSON and go into the line as stored. */
function lineOf(
  row: Tables['events'],
  who: Pick<ExportedEvent, 'participantId' | 'sessionId'>,
  where: Pick<ExportedEvent, 'revision' | 'roomId' | 'condition' | 'role' | 'alias' | 'agent'>,
  mark: string,
): string {
  const fields: Omit<ExportedEvent, 'data' | 'extra' | 'synthetic'> = {
    ...who,
    seq: row.seq,
    type: row.type,
    timestamp: row.timestamp,
    receivedAt: new Date(row.received_at).toISOString(),
    stateId: row.state_id,
    componentId: row.component_id,
    eventId: row.event_id,
    ...where,
    round: row.round,
    visit: row.visit,
    origin: row.room_seq === null ? 'client' : 'room',
    roomSeq: row.room_seq,
    flags: row.flags === '' ? [] : (row.flags.split(' ') as EventFlag[]),
  }
  const extra = row.extra === null ? '' : `,"extra":${row.extra}`
  return `${JSON.stringify(fields).slice(0, -1)},"data":${row.data}${extra}${mark}}\n`
}
