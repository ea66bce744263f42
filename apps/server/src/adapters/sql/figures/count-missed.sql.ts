import { sql } from 'kysely'
import { eventDeltas, longestKeptMs } from '../../../modules/experiments/figures.plan.ts'
import { overRows } from '../row-set.ts'
import type { Sql } from '../tables.ts'
import { createDeltaWriter, deltaKindOf, type StreamFigures, type StreamKind } from './deltas.sql.ts'
import { tryFoldLock } from './fold-lock.sql.ts'
import { isStreamOf } from './missed-streams.sql.ts'
import { type StreamPart, talliesReader } from './tallied-events.sql.ts'

const maxStreams = 200
/** About 10 ms: participants whose streams are locked wait for as long. */
const maxEvents = 5_000

interface MissedRow {
  stream_no: number
  last_seq: number
  counted_seq: number
  experiment_id: string | null
  kind: string | null
}

/** Some of a stream's events that nobody has counted. */
interface Part extends StreamFigures, StreamPart {
  isWhole: boolean
}

/**
 * Counts events that were stored by servers that know nothing of figures: before migration 0019, by the previous release
 * during an update, or after going back to it. One transaction counts them and moves the stream's mark.
 */
export function createMissedCounter({ engine, db }: Sql) {
  const writeDeltas = createDeltaWriter(engine)
  const lockStreams = missedStreamsLock(engine)
  const findOwners = ownersOf(engine)
  const countParts = partCounter(engine)
  const readTallies = talliesReader(engine)
  const moveMarks = overRows(
    engine,
    'counted',
    { stream_no: 'integer', upTo: 'integer', experimentId: 'text', kind: 'text' },
    (counted) => sql`update event_streams set counted_seq = ${sql.ref('counted.upTo')},
        experiment_id = ${sql.ref('counted.experimentId')}, kind = counted.kind
      from ${counted} where event_streams.stream_no = counted.stream_no`,
  )
  const remove = overRows(
    engine,
    'done',
    { stream_no: 'integer' },
    (done) => sql`delete from uncounted_streams where stream_no in (select stream_no from ${done})`,
  )
  return async (now: number): Promise<boolean> =>
    await db.transaction().execute(async (tx) => {
      if (!(await tryFoldLock({ engine, db: tx }))) return false
      const listed = await tx
        .selectFrom('uncounted_streams')
        .select('stream_no')
        .orderBy('stream_no')
        .limit(maxStreams)
        .execute()
      if (listed.length === 0) return false
      const streams = await lockStreams(tx, listed)
      const parts = partsOf(streams, await findOwners(tx, streams))
      const counts = await countParts(tx, parts)
      const ofPeople = parts.filter(({ kind }) => kind === 'people')
      const tallies = await readTallies(tx, ofPeople)
      // Nobody asks when the oldest events came, so all of them together are one change.
      const oldest = now - longestKeptMs
      await writeDeltas(
        tx,
        eventDeltas(
          counts.flatMap(({ experiment_id, kind, at, count }) => {
            const deltaKind = deltaKindOf[kind]
            return deltaKind
              ? [{ experimentId: experiment_id, kind: deltaKind, at, count, tallies: [], bytes: 0 }]
              : []
          }),
          oldest,
        ),
      )
      // They have no time. The oldest of times adds nothing to when the last event came.
      await writeDeltas(
        tx,
        eventDeltas(
          ofPeople.flatMap(({ stream_no, experimentId }) => {
            const theirs = tallies.get(stream_no) ?? []
            return theirs.length === 0
              ? []
              : [{ experimentId, kind: 'tallies' as const, at: 0, count: 0, tallies: theirs, bytes: 0 }]
          }),
        ),
      )
      await moveMarks(tx, parts)
      const left = streams.slice(parts.length)
      const unfinished = new Set(
        [...parts.filter(({ isWhole }) => !isWhole), ...left].map((one) => one.stream_no),
      )
      await remove(
        tx,
        listed.filter(({ stream_no }) => !unfinished.has(stream_no)),
      )
      return unfinished.size > 0 || listed.length === maxStreams
    })
}

/** In the order of the sessions, as everybody who writes to several streams. */
function missedStreamsLock(engine: Sql['engine']) {
  const inOrder = engine === 'postgres' ? sql`order by session_id for update` : sql`order by session_id`
  return overRows(
    engine,
    'listed',
    { stream_no: 'integer' },
    (listed) => sql<MissedRow>`
      select stream_no, last_seq, counted_seq, experiment_id, kind from event_streams
      where stream_no in (select stream_no from ${listed}) ${inOrder}`,
  )
}

type OwnerRow = { stream_no: number; experiment_id: string; kind: StreamKind }

/** The previous release does not write down whose a stream is. */
function ownersOf(engine: Sql['engine']) {
  return overRows(
    engine,
    'listed',
    { stream_no: 'integer' },
    (listed) => sql<OwnerRow>`
      select t.stream_no, coalesce(p.experiment_id, a.experiment_id) as experiment_id,
        case when p.experiment_id is not null then 'people' when r.pilot_id is null then 'agents' else 'pilots' end as kind
      from ${listed}
      join event_streams t on t.stream_no = listed.stream_no
      left join sessions s on s.session_id = t.session_id
      left join participants p on p.participant_id = s.participant_id
      left join agent_participants a on ${isStreamOf}
      left join rooms r on r.room_id = a.room_id
      where coalesce(p.experiment_id, a.experiment_id) is not null`,
  )
}

/** At least one stream, and as many events as may be counted in one step. A stream without an owner has no figures. */
function partsOf(streams: readonly MissedRow[], owners: readonly OwnerRow[]): Part[] {
  const ownerOf = new Map(owners.map((owner) => [owner.stream_no, owner]))
  const parts: Part[] = []
  let room = maxEvents
  for (const { stream_no, counted_seq: seen, last_seq } of streams) {
    if (room <= 0) break
    const owner = ownerOf.get(stream_no)
    const upTo = owner ? Math.min(last_seq, seen + room) : last_seq
    room -= owner ? upTo - seen : 0
    const figures = { experimentId: owner?.experiment_id ?? '', kind: owner?.kind ?? 'pilots' }
    parts.push({ stream_no, seen, upTo, isWhole: upTo === last_seq, ...figures })
  }
  return parts
}

interface PartCount {
  experiment_id: string
  kind: StreamKind
  at: number
  count: number
}

/** Stream by stream, written so that the planner has no choice: without statistics PostgreSQL read the whole table. */
function partCounter(engine: Sql['engine']) {
  const range = sql`stream_no = part.stream_no and seq > part.seen and seq <= ${sql.ref('part.upTo')}`
  const theirEvents =
    engine === 'postgres'
      ? sql`lateral (select received_at from events where ${range} offset 0) as e`
      : sql`events as e on e.${range}`
  return overRows(
    engine,
    'part',
    { stream_no: 'integer', seen: 'integer', upTo: 'integer', experimentId: 'text', kind: 'text' },
    (part) => sql<PartCount>`
      select ${sql.ref('part.experimentId')} as experiment_id, part.kind, max(e.received_at) as at, count(*) as count
      from ${part} cross join ${theirEvents}
      group by ${sql.ref('part.experimentId')}, part.kind, e.received_at / 1000`,
  )
}
