import type { ExportPosition } from '../../../modules/events/events.store.ts'
import type { ExportedStream, StreamWalk } from './exported-streams.sql.ts'

/** What a page reads, however many sessions it is from, so that it is short whatever the events contain. */
const eventsPerPage = 1_500
/** An event may be as large as a request; at least one is always read, and nothing after it that does not fit. */
export const bytesPerPage = 786_432
/** A row of a table may be made of somebody who did nothing. */
const streamsPerPage = 200
/** Pages are put together from pieces of streams whose sizes are known. */
const eventsPerPiece = 500
/** The largest possible `seq`: PostgreSQL refuses to compare its integers with anything larger. */
const pastTheLast = 2 ** 31 - 1

/** Events of a stream: those after `seen`, up to and with `upTo`. */
export interface EventRange {
  streamNo: number
  seen: number
  upTo: number
}

/** What a page has of a stream. */
interface StreamRange extends EventRange {
  stream: ExportedStream
  isWanted: boolean
}

export interface Measured<Range> {
  range: Range
  bytes: number
}

/** A page before it is read: what it takes of which streams, and where the next one begins. */
export interface StreamPlan {
  ranges: readonly StreamRange[]
  types: readonly string[] | undefined
  /** Null on the last page. */
  next: ExportPosition | null
}

export const countOf = ({ seen, upTo }: EventRange): number => upTo - seen

/** The streams in pieces, up to this many events. What is not wanted is passed over, its events unread. */
export function piecesOf(
  streams: readonly ExportedStream[],
  walk: StreamWalk,
  after: ExportPosition | null,
  maxEvents: number,
): StreamRange[] {
  const pieces: StreamRange[] = []
  let left = maxEvents
  for (const stream of streams) {
    if (left <= 0) break
    const from = after?.sessionId === stream.sessionId ? after.seq : 0
    const isWanted = from < pastTheLast && isSelected(stream, walk)
    const end = isWanted ? Math.max(from, Math.min(stream.lastSeq, from + left)) : from
    left -= end - from
    for (let seen = from; seen === from || seen < end; seen += eventsPerPiece) {
      const upTo = Math.min(end, seen + eventsPerPiece)
      pieces.push({ stream, streamNo: stream.streamNo, isWanted, seen, upTo })
    }
  }
  return pieces
}

const isSelected = (stream: ExportedStream, { source, filters: { revision, status } }: StreamWalk): boolean =>
  stream.isSynthetic === (source === 'pilots') &&
  (revision === null || stream.revision === revision) &&
  (status === null || (stream.completedAt !== null) === (status === 'completed'))

/** Puts pages together from pieces of streams, in order. */
export function createStretch(types: StreamPlan['types'], maxPages: number) {
  const pages: StreamRange[][] = [[]]
  let room = emptyPage()
  let eventsLeft = maxPages * eventsPerPage

  /** Whether there is a page for it. */
  function take({ range, bytes }: Measured<StreamRange>): boolean {
    let page = pages.at(-1) ?? []
    const fits = countOf(range) <= room.events && bytes <= room.bytes && room.streams > 0
    if (!fits && page.length > 0) {
      if (pages.length >= maxPages) return false
      page = []
      pages.push(page)
      room = emptyPage()
    }
    const last = page.at(-1)
    if (last && last.stream === range.stream) last.upTo = range.upTo
    else page.push({ ...range })
    room.events -= countOf(range)
    room.bytes -= bytes
    room.streams--
    eventsLeft -= countOf(range)
    return true
  }

  const lastRange = (): StreamRange | undefined => pages.at(-1)?.at(-1)

  return {
    eventsLeft: () => eventsLeft,
    /** Returns whether the pages are full. */
    add: (pieces: readonly Measured<StreamRange>[]): boolean => !pieces.every(take),
    isAtEndOfStream(): boolean {
      const last = lastRange()
      return !last || isToTheEnd(last)
    },
    position(): ExportPosition | null {
      const last = lastRange()
      return last ? positionAfter(last) : null
    },
    pages: (isThrough: boolean): StreamPlan[] =>
      pages.map((ranges, index) => {
        const last = ranges.at(-1)
        const isLast = isThrough && index === pages.length - 1
        return { ranges, types, next: last && !isLast ? positionAfter(last) : null }
      }),
  }
}

const emptyPage = () => ({ events: eventsPerPage, bytes: bytesPerPage, streams: streamsPerPage })

const isToTheEnd = ({ isWanted, upTo, stream }: StreamRange): boolean => !isWanted || upTo >= stream.lastSeq

function positionAfter(range: StreamRange): ExportPosition {
  const { joinedAt, isAgent, participantId, startedAt, sessionId } = range.stream
  const seq = isToTheEnd(range) ? pastTheLast : range.upTo
  return { joinedAt, isAgent, participantId, startedAt, sessionId, seq }
}
