import { sql } from 'kysely'
import type { ExportPosition } from '../../../modules/events/events.store.ts'
import type { Sql, Tables } from '../tables.ts'
import { type ExportedStream, type StreamWalk, streamsFrom } from './exported-streams.sql.ts'

/**
 * What one turn reads, so that a turn is short whatever the events contain: on PostgreSQL the main thread builds the
 * lines. An event may be as large as a request; at least one is always read, and nothing after it that does not fit.
 */
const streamsPerPage = 100
const eventsPerPage = 500
const bytesPerPage = 262_144
/** Approximate size of a line without `data` and `extra`. */
const bytesPerLine = 450
/** The largest possible `seq`: PostgreSQL refuses to compare its integers with anything larger. */
const pastTheLast = 2 ** 31 - 1

/** Some events of a stream, in order. */
export interface StreamPart {
  stream: ExportedStream
  rows: readonly Tables['events'][]
  /** Nothing of the stream was on an earlier page. */
  isFirst: boolean
}

interface PageWalk extends StreamWalk {
  /** Only events of these types; all when absent. */
  types?: readonly string[] | undefined
}

/**
 * Walks the sessions of an experiment in the order of joining, agents among them, and each one's events by key. Every
 * step reads from an index, so a page costs the same at the end of a large export as at its start. `take` says how many
 * bytes it made of a part.
 */
export async function walkPage(
  { db }: Sql,
  walk: PageWalk,
  after: ExportPosition | null,
  take: (part: StreamPart) => number,
): Promise<ExportPosition | null> {
  const streams = await streamsFrom(db, walk, after, streamsPerPage)
  let [events, bytes] = [0, 0]
  let next: ExportPosition | null = null
  for (const stream of streams) {
    const { joinedAt, isAgent, participantId, startedAt, sessionId } = stream
    const seen = after?.sessionId === sessionId ? after.seq : 0
    const isWanted = seen < pastTheLast && isSelected(stream, walk)
    const room = { events: eventsPerPage - events, bytes: bytesPerPage - bytes }
    const { rows, isWhole } =
      isWanted && seen < stream.lastSeq
        ? await eventsAfter(db, stream, seen, room, walk.types)
        : { rows: [], isWhole: true }
    if (isWanted) bytes += take({ stream, rows, isFirst: seen === 0 })
    events += rows.length
    const seq = isWhole ? pastTheLast : (rows.at(-1)?.seq ?? pastTheLast)
    next = { joinedAt, isAgent, participantId, startedAt, sessionId, seq }
    if (!isWhole || events >= eventsPerPage || bytes >= bytesPerPage) return next
  }
  return streams.length === streamsPerPage ? next : null
}

const isSelected = (stream: ExportedStream, { source, filters: { revision, status } }: StreamWalk): boolean =>
  stream.isSynthetic === (source === 'pilots') &&
  (revision === null || stream.revision === revision) &&
  (status === null || (stream.completedAt !== null) === (status === 'completed'))

/** As many of the next events as fit on the page, by size alone: neither engine reads a text to know its length. */
async function eventsAfter(
  db: Sql['db'],
  { streamNo, lastSeq }: ExportedStream,
  seen: number,
  room: { events: number; bytes: number },
  types: readonly string[] | undefined,
): Promise<{ rows: Tables['events'][]; isWhole: boolean }> {
  const ofTypes = types ? sql`and type in (${sql.join(types.map((type) => sql.lit(type)))})` : sql``
  const { rows } = await sql<Tables['events'] & { found: number }>`
    with sized as (
      select seq, octet_length(data) + coalesce(octet_length(extra), 0) + ${sql.lit(bytesPerLine)} as bytes
      from events where stream_no = ${streamNo} and seq > ${seen} ${ofTypes}
      order by seq limit ${room.events}
    ), placed as (
      select seq, sum(bytes) over (order by seq) - bytes as bytes_before from sized
    )
    select *, (select cast(count(*) as integer) from sized) as found from events
    where stream_no = ${streamNo} and seq > ${seen} ${ofTypes}
      and seq <= (select max(seq) from placed where bytes_before < ${room.bytes})
    order by seq`.execute(db)
  const [first, last] = [rows.at(0), rows.at(-1)]
  const isWhole =
    !first || !last || last.seq >= lastSeq || (first.found === rows.length && first.found < room.events)
  return { rows, isWhole }
}
