import { sql } from 'kysely'
import type { EventToStore } from '../../modules/events/events.store.ts'
import { inserterOf, rowSet } from './row-set.ts'
import type { Sql } from './tables.ts'

export interface EventRow extends EventToStore {
  sessionId: string
  seq: number
  receivedAt: number
}

const columns = {
  session_id: 'text',
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

/**
 * Writes events and moves their streams on to the last numbers given out. The streams must be locked. Events of a
 * client are counted apart from what a room records: only they are compared with what the client says it sent.
 */
export function createEventWriter(engine: Sql['engine'], sender: 'client' | 'room') {
  const insert = inserterOf(engine, 'events', columns)
  return async (
    db: Sql['db'],
    rows: readonly EventRow[],
    lastSeqs: ReadonlyMap<string, number>,
  ): Promise<void> => {
    if (rows.length === 0) return
    await insert(db, rows.map(asRow))
    const sent = sender === 'client' ? countBySession(rows) : new Map<string, number>()
    const streams = [...lastSeqs].map(([session_id, last_seq]) => ({
      session_id,
      last_seq,
      sent: sent.get(session_id) ?? 0,
    }))
    const reached = rowSet(
      engine,
      'reached',
      { session_id: 'text', last_seq: 'integer', sent: 'integer' },
      streams,
    )
    await sql`update event_streams
      set last_seq = reached.last_seq, client_events = event_streams.client_events + reached.sent
      from ${reached} where event_streams.session_id = reached.session_id`.execute(db)
  }
}

function countBySession(rows: readonly EventRow[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { sessionId } of rows) counts.set(sessionId, (counts.get(sessionId) ?? 0) + 1)
  return counts
}

const asRow = (row: EventRow) => ({
  session_id: row.sessionId,
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
})
