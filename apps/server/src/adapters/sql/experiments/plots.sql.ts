import { sql } from 'kysely'
import type { DayCount, PlotFigures } from '../../../modules/experiments/experiments.store.ts'
import { dayMs } from '../../../modules/experiments/figures.plan.ts'
import { readTallies, sumTallies, type Tally } from '../../../modules/experiments/tallies.plan.ts'
import { missedStreamsOf } from '../figures/missed-streams.sql.ts'
import { readOutcomes } from '../figures/read-figures.sql.ts'
import { inSnapshot } from '../figures/snapshot.ts'
import type { Sql } from '../tables.ts'

/**
 * From the figures and the changes that are not in them yet. Events that nobody has counted are left out, unlike in the
 * monitor: reading what is in them would take minutes after an update.
 */
export async function readPlots(store: Sql, experimentId: string): Promise<PlotFigures> {
  return await inSnapshot(store, async (snapshot) => ({
    days: await readDays(snapshot, experimentId),
    outcomes: await readOutcomes(snapshot.db, experimentId),
    tallies: await talliesOf(snapshot, experimentId),
    waitsMs: await readWaits(snapshot, experimentId),
    isCounting: (await missedStreamsOf(snapshot, experimentId)).length > 0,
  }))
}

const maxDays = 400

async function readDays({ db }: Sql, experimentId: string): Promise<DayCount[]> {
  const length = sql.lit(dayMs)
  const { rows } = await sql<DayCount>`
    select at, sum(joined) as joined, sum(completed) as completed from (
      select starts_at as at, joined, completed from activity_counts
      where experiment_id = ${experimentId} and resolution_ms = ${length}
      union all
      select at / ${length} * ${length}, case kind when 'joined' then count else 0 end,
        case kind when 'completed' then count else 0 end
      from figure_deltas where experiment_id = ${experimentId} and kind in ('joined', 'completed')
    ) as counted
    group by at having sum(joined) <> 0 or sum(completed) <> 0
    order by at desc limit ${sql.lit(maxDays)}`.execute(db)
  return rows.reverse()
}

async function talliesOf({ db }: Sql, experimentId: string): Promise<Tally[]> {
  const { rows } = await sql<Tally>`select kind, origin, state_id as "stateId", component_id as "componentId",
    bucket, count from event_tallies where experiment_id = ${experimentId}`.execute(db)
  const changes = await db
    .selectFrom('figure_deltas')
    .select('tallies')
    .where('experiment_id', '=', experimentId)
    .where('tallies', 'is not', null)
    .execute()
  return sumTallies([...rows, ...changes.flatMap(({ tallies }) => readTallies(tallies))])
}

const maxPeople = 1_000

/** Of the newest people only, by their index, so that it costs the same however many there were before them. */
async function readWaits({ db }: Sql, experimentId: string): Promise<PlotFigures['waitsMs']> {
  const rows = await db
    .selectFrom((people) =>
      people
        .selectFrom('participants')
        .select(['room_id', 'joined_at', 'participant_id'])
        .where('experiment_id', '=', experimentId)
        .orderBy('joined_at', 'desc')
        .orderBy('participant_id', 'desc')
        .limit(maxPeople + 1)
        .as('p'),
    )
    // R68: for the first room; later ones are not waited for since the join.
    .leftJoin('former_stays as f', (on) =>
      on.onRef('f.participant_id', '=', 'p.participant_id').on('f.stay', '=', 0),
    )
    .leftJoin('rooms as r', (on) =>
      on.on('r.room_id', '=', ({ fn }) => fn.coalesce('f.room_id', 'p.room_id')),
    )
    .select(sql<number | null>`r.created_at - p.joined_at`.as('waitMs'))
    .orderBy('p.joined_at', 'desc')
    .orderBy('p.participant_id', 'desc')
    .execute()
  return {
    newest: rows.slice(0, maxPeople).flatMap(({ waitMs }) => (waitMs === null ? [] : [Math.max(0, waitMs)])),
    isAll: rows.length <= maxPeople,
  }
}
