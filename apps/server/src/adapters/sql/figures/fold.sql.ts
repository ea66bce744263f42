import { sql } from 'kysely'
import {
  type Delta,
  type DeltaKind,
  foldDeltas,
  resolutions,
} from '../../../modules/experiments/figures.plan.ts'
import { readTallies } from '../../../modules/experiments/tallies.plan.ts'
import { overRows } from '../row-set.ts'
import type { Sql } from '../tables.ts'
import { tryFoldLock } from './fold-lock.sql.ts'

const maxDeltas = 1_000
const maxForgotten = 1_000

/** One transaction moves changes into the tables of figures, so each is always in exactly one place. */
export function createFold({ engine, db }: Sql) {
  const addActivity = activityAdder(engine)
  const addOutcomes = outcomeAdder(engine)
  const addTotals = totalsAdder(engine)
  const addTallies = tallyAdder(engine)
  const remove = overRows(
    engine,
    'done',
    { delta_no: 'bigint' },
    (done) => sql`delete from figure_deltas where delta_no in (select delta_no from ${done})`,
  )
  return async (now: number): Promise<boolean> =>
    await db.transaction().execute(async (tx) => {
      if (!(await tryFoldLock({ engine, db: tx }))) return false
      const rows = await tx
        .selectFrom('figure_deltas')
        .selectAll()
        .orderBy('delta_no')
        .limit(maxDeltas)
        .execute()
      const forgotten = await forget(tx, now)
      if (rows.length === 0) return forgotten === maxForgotten
      const { activity, outcomes, totals, tallies } = foldDeltas(rows.map(asDelta), now)
      await addActivity(tx, activity)
      await addOutcomes(
        tx,
        outcomes.map((row) => ({
          ...row,
          isDecided: Number(row.outcome !== null),
          outcome: row.outcome ?? '',
        })),
      )
      await addTotals(tx, totals)
      await addTallies(tx, tallies)
      await remove(
        tx,
        rows.map(({ delta_no }) => ({ delta_no })),
      )
      return rows.length === maxDeltas || forgotten === maxForgotten
    })
}

const asDelta = (row: {
  experiment_id: string
  kind: string
  at: number
  count: number
  revision: number | null
  outcome: string | null
  tallies: string | null
  bytes: number
}): Delta => ({
  experimentId: row.experiment_id,
  kind: row.kind as DeltaKind,
  at: row.at,
  count: row.count,
  revision: row.revision,
  outcome: row.outcome,
  tallies: readTallies(row.tallies),
  bytes: row.bytes,
})

function activityAdder(engine: Sql['engine']) {
  return overRows(
    engine,
    'fresh',
    {
      experimentId: 'text',
      resolutionMs: 'integer',
      startsAt: 'bigint',
      joined: 'integer',
      completed: 'integer',
      events: 'integer',
    },
    (fresh) => sql`insert into activity_counts
        (experiment_id, resolution_ms, starts_at, joined, completed, events)
      select ${sql.ref('experimentId')}, ${sql.ref('resolutionMs')}, ${sql.ref('startsAt')}, joined, completed, events
      from ${fresh} where true
      on conflict (experiment_id, resolution_ms, starts_at) do update set
        joined = activity_counts.joined + excluded.joined,
        completed = activity_counts.completed + excluded.completed,
        events = activity_counts.events + excluded.events`,
  )
}

function outcomeAdder(engine: Sql['engine']) {
  return overRows(
    engine,
    'fresh',
    { experimentId: 'text', revision: 'integer', isDecided: 'integer', outcome: 'text', people: 'integer' },
    (fresh) => sql`insert into outcome_counts (experiment_id, revision, is_decided, outcome, people)
      select ${sql.ref('experimentId')}, revision, ${sql.ref('isDecided')}, outcome, people
      from ${fresh} where true
      on conflict (experiment_id, revision, is_decided, outcome) do update set
        people = outcome_counts.people + excluded.people`,
  )
}

function totalsAdder(engine: Sql['engine']) {
  const later = engine === 'postgres' ? sql`greatest` : sql`max`
  // `max` of SQLite is null if one of both is; `greatest` of PostgreSQL is not.
  const newest = sql`${later}(coalesce(experiment_totals.last_event_at, excluded.last_event_at),
    coalesce(excluded.last_event_at, experiment_totals.last_event_at))`
  return overRows(
    engine,
    'fresh',
    {
      experimentId: 'text',
      events: 'bigint',
      sessionsWithGaps: 'integer',
      lastEventAt: 'bigint',
      bytes: 'bigint',
    },
    (
      fresh,
    ) => sql`insert into experiment_totals (experiment_id, events, sessions_with_gaps, last_event_at, bytes)
      select ${sql.ref('experimentId')}, events, ${sql.ref('sessionsWithGaps')}, ${sql.ref('lastEventAt')}, bytes
      from ${fresh} where true
      on conflict (experiment_id) do update set
        events = experiment_totals.events + excluded.events,
        sessions_with_gaps = experiment_totals.sessions_with_gaps + excluded.sessions_with_gaps,
        last_event_at = ${newest},
        bytes = experiment_totals.bytes + excluded.bytes`,
  )
}

function tallyAdder(engine: Sql['engine']) {
  return overRows(
    engine,
    'fresh',
    {
      experimentId: 'text',
      kind: 'text',
      origin: 'text',
      stateId: 'text',
      componentId: 'text',
      bucket: 'integer',
      count: 'bigint',
    },
    (
      fresh,
    ) => sql`insert into event_tallies (experiment_id, kind, origin, state_id, component_id, bucket, count)
      select ${sql.ref('experimentId')}, kind, origin, ${sql.ref('stateId')}, ${sql.ref('componentId')}, bucket, count
      from ${fresh} where true
      on conflict (experiment_id, kind, origin, state_id, component_id, bucket) do update set
        count = event_tallies.count + excluded.count`,
  )
}

/** Returns the largest number of rows of one resolution that it has removed. */
async function forget(db: Sql['db'], now: number): Promise<number> {
  let max = 0
  for (const { resolutionMs, keptMs } of resolutions) {
    const old = await db
      .selectFrom('activity_counts')
      .select('starts_at')
      .where('resolution_ms', '=', resolutionMs)
      .where('starts_at', '<', now - keptMs)
      .orderBy('starts_at')
      .limit(maxForgotten)
      .execute()
    max = Math.max(max, old.length)
    const last = old.at(-1)
    if (!last) continue
    await db
      .deleteFrom('activity_counts')
      .where('resolution_ms', '=', resolutionMs)
      .where('starts_at', '<=', last.starts_at)
      .execute()
  }
  return max
}
