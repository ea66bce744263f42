import { sql } from 'kysely'
import type { EventRow, RoomEventRow } from '../../../modules/events/append.plan.ts'
import { createDeltaWriter, deltasOf, type StreamFigures } from '../figures/deltas.sql.ts'
import { inserterOf, overRows } from '../row-set.ts'
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
} as const

const roomColumns = { ...columns, room_seq: 'integer', round: 'integer', visit: 'integer' } as const

/**
 * Writes events and advances their streams, which must be locked, to the last numbers assigned. A client's events are
 * counted separately from what rooms record: only they are compared with what the client says it sent. The figures of
 * experiments change with them; streams that `figures` does not have are counted later.
 */
export function createEventWriter(engine: Sql['engine'], sender: 'client' | 'room') {
  const insert = inserterOf(engine, 'events', sender === 'room' ? roomColumns : columns)
  const moveStreams = overRows(
    engine,
    'reached',
    { stream_no: 'integer', last_seq: 'integer', sent: 'integer', is_counted: 'integer' },
    (reached) => sql`update event_streams
      set last_seq = reached.last_seq, client_events = event_streams.client_events + reached.sent,
        counted_seq = case when reached.is_counted = 1 then reached.last_seq else event_streams.counted_seq end
      from ${reached} where event_streams.stream_no = reached.stream_no`,
  )
  const writeDeltas = createDeltaWriter(engine)
  return async (
    db: Sql['db'],
    rows: readonly (EventRow | RoomEventRow)[],
    lastSeqs: ReadonlyMap<number, number>,
    figures: ReadonlyMap<number, StreamFigures>,
  ): Promise<void> => {
    if (rows.length === 0) return
    await insert(db, rows.map(asRow))
    const sent = sender === 'client' ? countByStream(rows) : new Map<number, number>()
    const streams = [...lastSeqs].map(([stream_no, last_seq]) => ({
      stream_no,
      last_seq,
      sent: sent.get(stream_no) ?? 0,
      is_counted: figures.has(stream_no) ? 1 : 0,
    }))
    await moveStreams(db, streams)
    await writeDeltas(db, deltasOf(rows, figures))
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
  ...('roomSeq' in row && { room_seq: row.roomSeq, round: row.round, visit: row.visit }),
})
