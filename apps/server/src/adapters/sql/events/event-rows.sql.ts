import { type RawBuilder, sql } from 'kysely'
import type { AppendPlan, EventRow, RoomEventRow } from '../../../modules/events/append.plan.ts'
import type { Delta } from '../../../modules/experiments/figures.plan.ts'
import {
  asDeltaRow,
  createDeltaWriter,
  deltaColumns,
  deltasOf,
  type StreamFigures,
  withBytes,
} from '../figures/deltas.sql.ts'
import { inserterOf, overRows, overTwoRowSets } from '../row-set.ts'
import type { Sql } from '../tables.ts'

const columns = {
  stream_no: 'integer',
  seq: 'integer',
  event_id: 'text',
  type: 'text',
  state_id: 'text',
  component_id: 'text',
  timestamp: 'bigint',
  received_at: 'bigint',
  data: 'text',
  flags: 'text',
  extra: 'text',
  clock_offset_ms: 'bigint',
  clock_error_ms: 'bigint',
} as const

const roomColumns = {
  ...columns,
  room_seq: 'integer',
  round: 'integer',
  visit: 'integer',
  stay: 'integer',
} as const

/**
 * Writes events and advances their streams, which must be locked, to the last numbers assigned. A client's events are
 * counted separately from what rooms record: only they are compared with what the client says it sent. The figures of
 * experiments change with them; streams that `figures` does not have are counted later.
 */
export function createEventWriter(engine: Sql['engine'], sender: 'client' | 'room') {
  const insert = inserterOf(engine, 'events', sender === 'room' ? roomColumns : columns)
  const moveCounted = countedMover(engine)
  const moveUncounted = uncountedMover(engine)
  return async (
    db: Sql['db'],
    { rows, lastSeqs, bytes, clocks }: WrittenEvents,
    figures: ReadonlyMap<number, StreamFigures>,
  ): Promise<void> => {
    if (lastSeqs.size === 0) return
    if (rows.length > 0) await insert(db, rows.map(asRow))
    const sent = sender === 'client' ? countByStream(rows) : new Map<number, number>()
    const streams = [...lastSeqs].map(([stream_no, last_seq]) => ({
      stream_no,
      last_seq,
      sent: sent.get(stream_no) ?? 0,
      bytes: bytes.get(stream_no) ?? 0,
      clock_low: clocks.get(stream_no)?.lowMs ?? null,
      clock_high: clocks.get(stream_no)?.highMs ?? null,
    }))
    const counted = streams.filter(({ stream_no }) => figures.has(stream_no))
    if (counted.length > 0) await moveCounted(db, counted, withBytes(deltasOf(rows, figures), bytes, figures))
    if (counted.length < streams.length)
      await moveUncounted(
        db,
        streams.filter(({ stream_no }) => !figures.has(stream_no)),
      )
  }
}

/** Only of streams in `lastSeqs`. */
interface WrittenEvents extends Pick<AppendPlan, 'lastSeqs' | 'bytes' | 'clocks'> {
  rows: readonly (EventRow | RoomEventRow)[]
}

interface MovedStream {
  stream_no: number
  last_seq: number
  sent: number
  bytes: number
  clock_low: number | null
  clock_high: number | null
}

const streamColumns = {
  stream_no: 'integer',
  last_seq: 'integer',
  sent: 'integer',
  bytes: 'bigint',
  clock_low: 'bigint',
  clock_high: 'bigint',
} as const

/** Advances streams all of whose events are counted, and adds what is new to the figures. */
function countedMover(engine: Sql['engine']) {
  const move = (reached: RawBuilder<unknown>) => sql`update event_streams
    set last_seq = reached.last_seq, counted_seq = reached.last_seq,
      client_events = event_streams.client_events + reached.sent,
      stored_bytes = event_streams.stored_bytes + reached.bytes,
      clock_low_ms = reached.clock_low, clock_high_ms = reached.clock_high
    from ${reached} where event_streams.stream_no = reached.stream_no`
  if (engine === 'sqlite') {
    const moveStreams = overRows(engine, 'reached', streamColumns, move)
    const insertDeltas = createDeltaWriter(engine)
    return async (
      db: Sql['db'],
      streams: readonly MovedStream[],
      deltas: readonly Delta[],
    ): Promise<void> => {
      await moveStreams(db, streams)
      await insertDeltas(db, deltas)
    }
  }
  // One statement, so that figures cost no round trip.
  const moveAndInsert = overTwoRowSets(
    engine,
    { name: 'reached', columns: streamColumns },
    { name: 'fresh', columns: deltaColumns },
    (reached, fresh) => sql`with moved as (${move(reached)})
      insert into figure_deltas (experiment_id, kind, at, count, tallies, bytes)
      select experiment_id, kind, at, count, tallies, bytes from ${fresh}`,
  )
  return async (db: Sql['db'], streams: readonly MovedStream[], deltas: readonly Delta[]): Promise<void> =>
    void (await moveAndInsert(db, streams, deltas.map(asDeltaRow)))
}

/** Advances streams with events that nobody has counted yet; whatever follows them is counted with them. */
function uncountedMover(engine: Sql['engine']) {
  const move = overRows(
    engine,
    'reached',
    streamColumns,
    (reached) => sql`update event_streams
      set last_seq = reached.last_seq, client_events = event_streams.client_events + reached.sent,
        stored_bytes = event_streams.stored_bytes + reached.bytes,
        clock_low_ms = reached.clock_low, clock_high_ms = reached.clock_high
      from ${reached} where event_streams.stream_no = reached.stream_no`,
  )
  const note = overRows(
    engine,
    'reached',
    { stream_no: 'integer' },
    (reached) => sql`insert into uncounted_streams (stream_no)
      select stream_no from ${reached} where true on conflict do nothing`,
  )
  return async (db: Sql['db'], streams: readonly MovedStream[]): Promise<void> => {
    await move(db, streams)
    // On PostgreSQL a trigger has noted them.
    if (engine === 'sqlite') await note(db, streams)
  }
}

function countByStream(rows: readonly EventRow[]): Map<number, number> {
  const counts = new Map<number, number>()
  for (const { streamNo } of rows) counts.set(streamNo, (counts.get(streamNo) ?? 0) + 1)
  return counts
}

const asRow = (row: EventRow | RoomEventRow) => ({
  stream_no: row.streamNo,
  seq: row.seq,
  event_id: row.eventId,
  type: row.type,
  state_id: row.stateId,
  component_id: row.componentId,
  timestamp: row.timestamp,
  received_at: row.receivedAt,
  data: row.data,
  flags: row.flags,
  extra: row.extra,
  clock_offset_ms: row.clockOffsetMs,
  clock_error_ms: row.clockErrorMs,
  ...('roomSeq' in row && { room_seq: row.roomSeq, round: row.round, visit: row.visit, stay: row.stay }),
})
