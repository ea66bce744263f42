import { setImmediate as othersTurn } from 'node:timers/promises'
import type { ExportPosition } from '../../../modules/events/events.store.ts'
import type { Sql, Tables } from '../tables.ts'
import { type ExportedStream, type StreamWalk, streamsFrom } from './exported-streams.sql.ts'
import { byStay } from './stays-of-stream.ts'
import { createStretch, piecesOf, type StreamPlan } from './stream-plans.ts'
import { createRangeReader } from './stream-ranges.sql.ts'

/** Read at first, and at most: twice as many each time that the pages have room left. */
const [fewestStreams, maxStreams] = [100, 200]
/** How many events the thread deals with before others get their turn: on PostgreSQL it is the one that serves requests. */
const eventsPerTurn = 500

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

/**
 * Walks the sessions of an experiment in the order of joining, agents among them, and each one's events by key. Every
 * step reads from an index, so a page costs the same at the end of a large export as at its start.
 */
export function createPageWalk(store: Sql) {
  const rangesOf = createRangeReader(store)

  /**
   * The next pages, at least one. Several at once, because a page takes three questions to plan, one after the other: that
   * took longer than to read and encode it.
   */
  async function plan(walk: PageWalk, after: ExportPosition | null, maxPages: number): Promise<StreamPlan[]> {
    const { measure } = rangesOf(walk.types)
    const stretch = createStretch(walk.types, maxPages)
    let next = after
    for (let limit = fewestStreams; ; limit *= 2) {
      const streams = await streamsFrom(store.db, walk, next, limit)
      const pieces = piecesOf(streams, walk, next, stretch.eventsLeft())
      const isFull = stretch.add(await measure(pieces))
      const isThrough = !isFull && pieces.at(-1)?.stream === streams.at(-1) && stretch.isAtEndOfStream()
      if (isThrough && streams.length < limit) return stretch.pages(true)
      if (!isThrough || limit >= maxStreams) return stretch.pages(false)
      next = stretch.position()
    }
  }

  async function read({ ranges, types }: StreamPlan, take: (part: StreamPart) => void): Promise<void> {
    await takeInTurns(ranges, await rangesOf(types).read(ranges), take)
  }

  return { plan, read }
}

async function takeInTurns(
  ranges: StreamPlan['ranges'],
  rowsOf: ReadonlyMap<number, Tables['events'][]>,
  take: (part: StreamPart) => void,
): Promise<void> {
  let taken = 0
  for (const { stream, seen, isWanted } of ranges) {
    if (!isWanted) continue
    const rows = rowsOf.get(stream.streamNo) ?? []
    for (let from = 0; from === 0 || from < rows.length; from += eventsPerTurn) {
      const part = rows.slice(from, from + eventsPerTurn)
      for (const [index, stay] of byStay(stream, part).entries())
        take({ ...stay, isFirst: seen === 0 && from === 0 && index === 0 })
      taken += part.length
      if (taken < eventsPerTurn) continue
      taken = 0
      await othersTurn()
    }
  }
}
