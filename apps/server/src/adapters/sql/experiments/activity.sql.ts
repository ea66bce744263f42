import { sql } from 'kysely'
import type {
  ActivityCounts,
  ActivityWindow,
  BucketCount,
} from '../../../modules/experiments/experiments.store.ts'
import { resolutionOf } from '../../../modules/experiments/figures.plan.ts'
import { type MissedStream, missedStreamsOf } from '../figures/missed-streams.sql.ts'
import { inSnapshot } from '../figures/snapshot.ts'
import { rowSet } from '../row-set.ts'
import type { Sql } from '../tables.ts'

/**
 * From the figures, the changes that are not in them yet, and the events that nobody has counted. Only the last are read
 * one by one; there are none except after an update.
 */
export async function readActivity(
  store: Sql,
  experimentId: string,
  window: ActivityWindow,
): Promise<ActivityCounts> {
  return await inSnapshot(store, async (snapshot) => {
    const counts: ActivityCounts = { joined: [], completed: [], events: [] }
    await addFigures(snapshot, experimentId, window, counts)
    await addDeltas(snapshot, experimentId, window, counts)
    const missed = await missedStreamsOf(snapshot, experimentId)
    const writtenTo = missed.filter(({ last_at }) => last_at >= window.from)
    for (const streams of inParts(writtenTo))
      counts.events.push(...(await countEvents(snapshot, streams, window)))
    return counts
  })
}

/** With a bound value, SQLite divides into fractions; PostgreSQL already has whole numbers. */
const bucketOf = (column: string, { from, bucketMs }: ActivityWindow) =>
  sql`cast((${sql.ref(column)} - ${from}) / ${bucketMs} as integer)`

type FigureRow = { bucket: number } & Record<keyof ActivityCounts, number>

async function addFigures(
  { db }: Sql,
  experimentId: string,
  window: ActivityWindow,
  counts: ActivityCounts,
): Promise<void> {
  const { rows } = await sql<FigureRow>`
    select ${bucketOf('starts_at', window)} as bucket,
      sum(joined) as joined, sum(completed) as completed, sum(events) as events
    from activity_counts
    where experiment_id = ${experimentId} and resolution_ms = ${resolutionOf(window)}
      and starts_at >= ${window.from} and starts_at < ${window.to}
    group by bucket`.execute(db)
  for (const { bucket, ...row } of rows)
    for (const name of ['joined', 'completed', 'events'] as const)
      if (row[name] !== 0) counts[name].push({ bucket, count: row[name] })
}

async function addDeltas(
  { db }: Sql,
  experimentId: string,
  window: ActivityWindow,
  counts: ActivityCounts,
): Promise<void> {
  const { rows } = await sql<BucketCount & { kind: keyof ActivityCounts }>`
    select kind, ${bucketOf('at', window)} as bucket, sum(count) as count from figure_deltas
    where experiment_id = ${experimentId} and at >= ${window.from} and at < ${window.to}
      and kind in ('joined', 'completed', 'events')
    group by kind, bucket`.execute(db)
  for (const { kind, bucket, count } of rows) counts[kind].push({ bucket, count })
}

/** About 10 ms of reading: PostgreSQL gives up after a second. */
const eventsPerPart = 20_000

function inParts(streams: readonly MissedStream[]): MissedStream[][] {
  const parts: MissedStream[][] = []
  let room = 0
  for (const stream of streams) {
    const events = stream.last_seq - stream.counted_seq
    if (room < events) {
      parts.push([])
      room = eventsPerPart
    }
    parts.at(-1)?.push(stream)
    room -= events
  }
  return parts
}

/** Stream by stream, written so that the planner has no choice: without statistics PostgreSQL read the whole table. */
async function countEvents(
  { engine, db }: Sql,
  streams: readonly MissedStream[],
  window: ActivityWindow,
): Promise<BucketCount[]> {
  const columns = { stream_no: 'integer', counted_seq: 'integer' } as const
  const wanted = rowSet(engine, 'wanted', columns, streams)
  const theirEvents =
    engine === 'postgres'
      ? sql`lateral (select received_at from events
          where stream_no = wanted.stream_no and seq > wanted.counted_seq offset 0) as e`
      : sql`events as e on e.stream_no = wanted.stream_no and e.seq > wanted.counted_seq`
  const { rows } = await sql<BucketCount>`
    select ${bucketOf('e.received_at', window)} as bucket, count(*) as count
    from ${wanted} cross join ${theirEvents}
    where e.received_at >= ${window.from} and e.received_at < ${window.to}
    group by bucket`.execute(db)
  return rows
}
