import { setImmediate as othersTurn } from 'node:timers/promises'
import type { ExportPosition } from '../../../modules/events/events.store.ts'
import type { Sql, Tables } from '../tables.ts'
import { type ExportedStream, type StreamWalk, streamsFrom } from './exported-streams.sql.ts'
import { countIn, createRangeReader, type EventRange } from './stream-ranges.sql.ts'

/** What a page reads, however many sessions it is from, so that it is short whatever the events contain. */
const eventsPerPage = 1_500
/** An event may be as large as a request; at least one is always read, and nothing after it that does not fit. */
const bytesPerPage = 786_432
/** Read at first, and at most: twice as many each time that a page has room left. */
const [fewestStreams, mostStreams] = [25, 200]
/** How many events the thread deals with before others get their turn: on PostgreSQL it is the one that serves requests. */
const eventsPerTurn = 500
/** The largest possible `seq`: PostgreSQL refuses to compare its integers with anything larger. */
const pastTheLast = 2 ** 31 - 1

/** Some events of a stream, in order. */
export interface StreamPart {
  stream: ExportedStream
  rows: readonly Tables['events'][]
  /** Nothing of the stream was taken before. */
  isFirst: boolean
}

interface PageWalk extends StreamWalk {
  /** Only events of these types; all when absent. */
  types?: readonly string[] | undefined
}

/** What a page has of a stream. */
interface StreamRange extends EventRange {
  stream: ExportedStream
  isWanted: boolean
}

/** A page before it is read: what it takes of which streams, and where the next one begins. */
export interface StreamPlan {
  ranges: readonly StreamRange[]
  types: readonly string[] | undefined
  /** Null on the last page. */
  next: ExportPosition | null
}

/**
 * Walks the sessions of an experiment in the order of joining, agents among them, and each one's events by key. Every
 * step reads from an index, so a page costs the same at the end of a large export as at its start.
 */
export function createPageWalk(store: Sql) {
  const rangesOf = createRangeReader(store)

  async function plan(walk: PageWalk, after: ExportPosition | null): Promise<StreamPlan> {
    const { fit } = rangesOf(walk.types)
    const room = { events: eventsPerPage, bytes: bytesPerPage }
    const ranges: StreamRange[] = []
    const planned = (next: ExportPosition | null): StreamPlan => ({ ranges, types: walk.types, next })
    let next = after
    for (let limit = fewestStreams; ; limit *= 2) {
      const streams = await streamsFrom(store.db, walk, next, limit)
      const { fitting, bytes } = await fit(rangesIn(streams, walk, next, room.events), room.bytes)
      ranges.push(...fitting)
      const last = fitting.at(-1)
      if (last) next = positionAfter(last)
      room.events -= countIn(fitting)
      room.bytes -= bytes
      const isThrough = fitting.length === streams.length && (!last || isToTheEnd(last))
      if (isThrough && streams.length < limit) return planned(null)
      if (!isThrough || room.events <= 0 || room.bytes <= 0 || limit >= mostStreams) return planned(next)
    }
  }

  async function read({ ranges, types }: StreamPlan, take: (part: StreamPart) => void): Promise<void> {
    await takeInTurns(ranges, await rangesOf(types).read(ranges), take)
  }

  return { plan, read }
}

/** As many events of each stream as the page has room for. What is not wanted is passed over, its events unread. */
function rangesIn(
  streams: readonly ExportedStream[],
  walk: PageWalk,
  after: ExportPosition | null,
  room: number,
): StreamRange[] {
  const ranges: StreamRange[] = []
  let left = room
  for (const stream of streams) {
    if (left <= 0) break
    const seen = after?.sessionId === stream.sessionId ? after.seq : 0
    const isWanted = seen < pastTheLast && isSelected(stream, walk)
    const upTo = isWanted ? Math.max(seen, Math.min(stream.lastSeq, seen + left)) : seen
    ranges.push({ stream, streamNo: stream.streamNo, isWanted, seen, upTo })
    left -= upTo - seen
  }
  return ranges
}

const isToTheEnd = ({ isWanted, upTo, stream }: StreamRange): boolean => !isWanted || upTo >= stream.lastSeq

function positionAfter(range: StreamRange): ExportPosition {
  const { joinedAt, isAgent, participantId, startedAt, sessionId } = range.stream
  const seq = isToTheEnd(range) ? pastTheLast : range.upTo
  return { joinedAt, isAgent, participantId, startedAt, sessionId, seq }
}

const isSelected = (stream: ExportedStream, { source, filters: { revision, status } }: StreamWalk): boolean =>
  stream.isSynthetic === (source === 'pilots') &&
  (revision === null || stream.revision === revision) &&
  (status === null || (stream.completedAt !== null) === (status === 'completed'))

async function takeInTurns(
  ranges: readonly StreamRange[],
  rowsOf: ReadonlyMap<number, Tables['events'][]>,
  take: (part: StreamPart) => void,
): Promise<void> {
  let taken = 0
  for (const { stream, seen, isWanted } of ranges) {
    if (!isWanted) continue
    const rows = rowsOf.get(stream.streamNo) ?? []
    for (let from = 0; from === 0 || from < rows.length; from += eventsPerTurn) {
      const part = rows.slice(from, from + eventsPerTurn)
      take({ stream, rows: part, isFirst: seen === 0 && from === 0 })
      taken += part.length
      if (taken < eventsPerTurn) continue
      taken = 0
      await othersTurn()
    }
  }
}
