import { sql } from 'kysely'
import { type KnownStreams, keyOf } from '../../../modules/events/append.plan.ts'
import type { EventBatch, EventToStore } from '../../../modules/events/events.store.ts'
import { type CountedStreamRow, figuresOf, type StreamFigures } from '../figures/deltas.sql.ts'
import { overRows } from '../row-set.ts'
import type { Sql, Tables } from '../tables.ts'

interface StreamRow extends CountedStreamRow {
  stream_no: number
  session_id: string
  sealed: number
  participant_bytes: number
  experiment_bytes: number | null
  clock_low_ms: number | null
  clock_high_ms: number | null
}

/** Locked in the order of the ids, so that two instances with overlapping groups wait instead of deadlocking. */
export function streamsLock(engine: Sql['engine']) {
  const inOrder = engine === 'postgres' ? sql`order by t.session_id for update of t` : sql``
  const select = overRows(
    engine,
    'wanted',
    { session_id: 'text' },
    (wanted) => sql<StreamRow>`
      select t.stream_no, t.session_id, t.last_seq, t.sealed, t.counted_seq, t.experiment_id, t.kind,
        t.clock_low_ms, t.clock_high_ms, t.earlier_bytes + t.stored_bytes as participant_bytes, x.bytes as experiment_bytes
      from event_streams t left join experiment_totals x on x.experiment_id = t.experiment_id
      where t.session_id in (select session_id from ${wanted}) ${inOrder}`,
  )
  return async (db: Sql['db'], batches: EventBatch[]): Promise<LockedStreams> => {
    const ids = [...new Set(batches.map((batch) => batch.sessionId))].map((session_id) => ({ session_id }))
    const rows = await select(db, ids)
    const streams: KnownStreams['streams'] = new Map()
    const figures = new Map<number, StreamFigures>()
    for (const row of rows) {
      const { stream_no: streamNo, last_seq: lastSeq, sealed } = row
      streams.set(row.session_id, {
        streamNo,
        lastSeq,
        sealed: sealed === 1,
        experimentId: row.experiment_id,
        stored: { participantBytes: row.participant_bytes, experimentBytes: row.experiment_bytes ?? 0 },
        clock: { lowMs: row.clock_low_ms, highMs: row.clock_high_ms },
      })
      const counted = figuresOf(row)
      if (counted) figures.set(streamNo, counted)
    }
    return { streams, figures }
  }
}

interface LockedStreams {
  streams: KnownStreams['streams']
  /** By stream number. */
  figures: Map<number, StreamFigures>
}

/**
 * R55: across all sessions of the participant: a client that lost its reply and its session resends in the next one.
 */
export function batchesKnown(engine: Sql['engine']) {
  const select = overRows(
    engine,
    'wanted',
    { session_id: 'text', idempotency_key: 'text' },
    (wanted) => sql<Tables['event_batches'] & { asked_by: string }>`
      select distinct wanted.session_id as asked_by, b.* from ${wanted}
      join sessions own on own.session_id = wanted.session_id
      join sessions theirs on theirs.participant_id = own.participant_id
      join event_streams t on t.session_id = theirs.session_id
      join event_batches b on b.stream_no = t.stream_no and b.idempotency_key = wanted.idempotency_key`,
  )
  return async (db: Sql['db'], batches: EventBatch[]): Promise<KnownStreams['batches']> => {
    const keyed = batches.flatMap(({ sessionId, idempotencyKey }) =>
      idempotencyKey === null ? [] : [{ session_id: sessionId, idempotency_key: idempotencyKey }],
    )
    if (keyed.length === 0) return new Map()
    return new Map(
      (await select(db, keyed)).map((row) => [
        keyOf(row.asked_by, row.idempotency_key),
        { bodyHash: row.body_hash, recorded: row.recorded, receivedAt: row.received_at },
      ]),
    )
  }
}

/** Across all sessions of the participant, as for keys. */
export function eventsKnown(engine: Sql['engine']) {
  const select = overRows(
    engine,
    'wanted',
    { session_id: 'text', event_id: 'text' },
    (wanted) => sql<Tables['events'] & { asked_by: string }>`
      select wanted.session_id as asked_by, e.* from ${wanted}
      join sessions own on own.session_id = wanted.session_id
      join sessions theirs on theirs.participant_id = own.participant_id
      join event_streams t on t.session_id = theirs.session_id
      join events e on e.stream_no = t.stream_no and e.event_id = wanted.event_id`,
  )
  return async (db: Sql['db'], batches: EventBatch[]): Promise<KnownStreams['events']> => {
    const named = batches.flatMap(({ sessionId, events }) =>
      events.flatMap(({ eventId }) =>
        eventId === null ? [] : [{ session_id: sessionId, event_id: eventId }],
      ),
    )
    if (named.length === 0) return new Map()
    return new Map(
      (await select(db, named)).map((row) => [
        keyOf(row.asked_by, row.event_id ?? ''),
        { event: asStoredEvent(row), receivedAt: row.received_at },
      ]),
    )
  }
}

const asStoredEvent = (row: Tables['events']): EventToStore => ({
  eventId: row.event_id,
  type: row.type,
  stateId: row.state_id,
  componentId: row.component_id,
  timestamp: row.timestamp,
  data: row.data,
  flags: row.flags,
  extra: row.extra,
})
