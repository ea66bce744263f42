import type { SessionStatus } from '@atrium/contract'
import { sql } from 'kysely'
import type {
  ActivityCounts,
  ActivityWindow,
  BucketCount,
} from '../../../modules/experiments/experiments.store.ts'
import { rowSet } from '../row-set.ts'
import type { Sql } from '../tables.ts'

/**
 * No index knows when events arrived, and one would slow down every event. So the streams written to in the window are
 * found through their sessions, and only these are counted: 150,000 events of 2,500 sessions in 0.1 s.
 */
export async function readActivity(
  { engine, db }: Sql,
  experimentId: string,
  window: ActivityWindow,
): Promise<ActivityCounts> {
  const joined = await countJoined(db, experimentId, window)
  const completed = await countCompleted(db, experimentId, window)
  const events: BucketCount[] = []
  for (const streams of inParts(await streamsWrittenTo(db, experimentId, window)))
    events.push(...(await countEvents({ engine, db }, streams, window)))
  return { joined, completed, events }
}

/** With a bound value, SQLite divides into fractions; PostgreSQL already has whole numbers. */
const bucketOf = (column: string, { from, bucketMs }: ActivityWindow) =>
  sql`cast((${sql.ref(column)} - ${from}) / ${bucketMs} as integer)`

async function countJoined(
  db: Sql['db'],
  experimentId: string,
  window: ActivityWindow,
): Promise<BucketCount[]> {
  const { rows } = await sql<BucketCount>`
    select ${bucketOf('joined_at', window)} as bucket, count(*) as count from participants
    where experiment_id = ${experimentId} and joined_at >= ${window.from} and joined_at < ${window.to}
    group by bucket`.execute(db)
  return rows
}

/** Rooms keep writing until a sweep notices that a session is over. */
const sweptWithinMs = 60_000

/**
 * A session that was alive in the window expires after its start, whatever became of it: an index has them in that
 * order.
 */
const expiredBefore = ({ from }: ActivityWindow): number => from - sweptWithinMs

async function countCompleted(
  db: Sql['db'],
  experimentId: string,
  window: ActivityWindow,
): Promise<BucketCount[]> {
  const { rows } = await sql<BucketCount>`
    select ${bucketOf('s.ended_at', window)} as bucket, count(*) as count from sessions s
    join participants p on p.participant_id = s.participant_id
    where s.status = 'completed' and s.expires_at > ${expiredBefore(window)}
      and s.ended_at >= ${window.from} and s.ended_at < ${window.to} and p.experiment_id = ${experimentId}
    group by bucket`.execute(db)
  return rows
}

interface StreamRow {
  stream_no: number
  last_seq: number
}

/** All statuses. SQLite uses the index on status and expiry only if both are named. */
const statuses: Record<SessionStatus, true> = { active: true, completed: true, expired: true, revoked: true }

/** The last event of a stream, found by its key, shows whether there is anything to count. */
async function streamsWrittenTo(
  db: Sql['db'],
  experimentId: string,
  window: ActivityWindow,
): Promise<StreamRow[]> {
  return await db
    .selectFrom('sessions as s')
    .innerJoin('participants as p', 'p.participant_id', 's.participant_id')
    .innerJoin('event_streams as t', 't.session_id', 's.session_id')
    .innerJoin('events as e', (join) =>
      join.onRef('e.stream_no', '=', 't.stream_no').onRef('e.seq', '=', 't.last_seq'),
    )
    .select(['t.stream_no', 't.last_seq'])
    .where('s.status', 'in', Object.keys(statuses))
    .where('s.expires_at', '>', expiredBefore(window))
    .where(({ or, eb }) => or([eb('s.ended_at', 'is', null), eb('s.ended_at', '>=', window.from)]))
    .where('p.experiment_id', '=', experimentId)
    .where('e.received_at', '>=', window.from)
    .execute()
}

/** About 10 ms of reading: SQLite writes nothing meanwhile, and PostgreSQL gives up after a second. */
const eventsPerPart = 20_000

function inParts(streams: readonly StreamRow[]): StreamRow[][] {
  const parts: StreamRow[][] = []
  let room = 0
  for (const stream of streams) {
    if (room < stream.last_seq) {
      parts.push([])
      room = eventsPerPart
    }
    parts.at(-1)?.push(stream)
    room -= stream.last_seq
  }
  return parts
}

/** Stream by stream, written so that the planner has no choice: without statistics PostgreSQL read the whole table. */
async function countEvents(
  { engine, db }: Sql,
  streams: readonly StreamRow[],
  window: ActivityWindow,
): Promise<BucketCount[]> {
  const wanted = rowSet(engine, 'wanted', { stream_no: 'integer' }, streams)
  const theirEvents =
    engine === 'postgres'
      ? sql`lateral (select received_at from events where stream_no = wanted.stream_no offset 0) as e`
      : sql`events as e on e.stream_no = wanted.stream_no`
  const { rows } = await sql<BucketCount>`
    select ${bucketOf('e.received_at', window)} as bucket, count(*) as count
    from ${wanted} cross join ${theirEvents}
    where e.received_at >= ${window.from} and e.received_at < ${window.to}
    group by bucket`.execute(db)
  return rows
}
