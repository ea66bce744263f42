import { sql } from 'kysely'
import { type AppendPlan, type KnownStreams, keyOf, planAppends } from '../../modules/events/append.plan.ts'
import type {
  AppendOutcome,
  EventBatch,
  EventStore,
  EventToStore,
} from '../../modules/events/events.store.ts'
import { createEventWriter } from './event-rows.sql.ts'
import { exportPage } from './export.sql.ts'
import { inserterOf, rowSet } from './row-set.ts'
import type { Sql, Tables } from './tables.ts'

export function createEventStore(store: Sql): EventStore {
  const inserters = {
    events: createEventWriter(store.engine, 'client'),
    keys: inserterOf(store.engine, 'event_batches', keyColumns),
  }
  return {
    append: (batches) => append(store, inserters, batches),
    exportPage: (experimentId, after) => exportPage(store, experimentId, after),
  }
}

interface Inserters {
  events: ReturnType<typeof createEventWriter>
  keys: ReturnType<typeof inserterOf>
}

/** One transaction for the whole group: lock the streams, look up what is known, plan, write. */
async function append(
  { engine, db }: Sql,
  inserters: Inserters,
  batches: EventBatch[],
): Promise<AppendOutcome[]> {
  return await db.transaction().execute(async (db) => {
    const tx: Sql = { engine, db }
    const streams = await lockStreams(tx, batches)
    const plan = planAppends(batches, {
      streams,
      batches: await knownBatches(tx, batches, streams),
      events: await knownEvents(tx, batches),
    })
    await inserters.events(db, plan.rows, plan.lastSeqs)
    await writeKeys(tx, inserters, plan)
    return plan.outcomes
  })
}

/** Locked in the order of the ids, so that two instances with overlapping groups wait instead of deadlocking. */
async function lockStreams({ engine, db }: Sql, batches: EventBatch[]): Promise<KnownStreams['streams']> {
  const ids = [...new Set(batches.map((batch) => batch.sessionId))].map((session_id) => ({ session_id }))
  const wanted = rowSet(engine, 'wanted', { session_id: 'text' }, ids)
  const lock = engine === 'postgres' ? sql`order by session_id for update` : sql``
  const { rows } = await sql<{ stream_no: number; session_id: string; last_seq: number; sealed: number }>`
    select stream_no, session_id, last_seq, sealed from event_streams
    where session_id in (select session_id from ${wanted}) ${lock}`.execute(db)
  return new Map(
    rows.map((row) => [
      row.session_id,
      { streamNo: row.stream_no, lastSeq: row.last_seq, sealed: row.sealed === 1 },
    ]),
  )
}

async function knownBatches(
  { engine, db }: Sql,
  batches: EventBatch[],
  streams: KnownStreams['streams'],
): Promise<KnownStreams['batches']> {
  const keyed = batches.flatMap(({ sessionId, idempotencyKey }) => {
    const stream = streams.get(sessionId)
    if (!stream || idempotencyKey === null) return []
    return [{ session_id: sessionId, stream_no: stream.streamNo, idempotency_key: idempotencyKey }]
  })
  if (keyed.length === 0) return new Map()
  const columns = { session_id: 'text', stream_no: 'integer', idempotency_key: 'text' } as const
  const { rows } = await sql<Tables['event_batches'] & { session_id: string }>`
    select distinct wanted.session_id, b.* from ${rowSet(engine, 'wanted', columns, keyed)} join event_batches b
    on b.stream_no = wanted.stream_no and b.idempotency_key = wanted.idempotency_key`.execute(db)
  return new Map(
    rows.map((row) => [
      keyOf(row.session_id, row.idempotency_key),
      { bodyHash: row.body_hash, recorded: row.recorded, receivedAt: row.received_at },
    ]),
  )
}

/** Over all sessions of the participant: a client whose reply and session were lost sends again to the next one. */
async function knownEvents({ engine, db }: Sql, batches: EventBatch[]): Promise<KnownStreams['events']> {
  const named = batches.flatMap(({ sessionId, events }) =>
    events.flatMap(({ eventId }) => (eventId === null ? [] : [{ session_id: sessionId, event_id: eventId }])),
  )
  if (named.length === 0) return new Map()
  const wanted = rowSet(engine, 'wanted', { session_id: 'text', event_id: 'text' }, named)
  const { rows } = await sql<Tables['events'] & { asked_by: string }>`
    select wanted.session_id as asked_by, e.* from ${wanted}
    join sessions own on own.session_id = wanted.session_id
    join sessions theirs on theirs.participant_id = own.participant_id
    join event_streams t on t.session_id = theirs.session_id
    join events e on e.stream_no = t.stream_no and e.event_id = wanted.event_id`.execute(db)
  return new Map(
    rows.map((row) => [
      keyOf(row.asked_by, row.event_id ?? ''),
      { event: asStoredEvent(row), receivedAt: row.received_at },
    ]),
  )
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

const keyColumns = {
  stream_no: 'integer',
  idempotency_key: 'text',
  body_hash: 'text',
  recorded: 'integer',
  received_at: 'bigint',
} as const

async function writeKeys({ db }: Sql, inserters: Inserters, { newKeys }: AppendPlan): Promise<void> {
  if (newKeys.length === 0) return
  const rows = newKeys.map((key) => ({
    stream_no: key.streamNo,
    idempotency_key: key.idempotencyKey,
    body_hash: key.bodyHash,
    recorded: key.recorded,
    received_at: key.receivedAt,
  }))
  await inserters.keys(db, rows)
}
