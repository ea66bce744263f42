import { sql } from 'kysely'
import type { Sql } from '../tables.ts'
import { missedOfAgents, missedStreamsOf } from './missed-streams.sql.ts'

export interface OutcomeCount {
  revision: number
  outcome: string | null
  people: number
}

interface Figures {
  outcomes: OutcomeCount[]
  events: number
  sessionsWithGaps: number
  lastEventAt: number | null
}

/** The totals of an experiment, with what has not come into them yet. Only in a snapshot. */
export async function readFigures(snapshot: Sql, experimentId: string): Promise<Figures> {
  const { db } = snapshot
  const totals = await db
    .selectFrom('experiment_totals')
    .selectAll()
    .where('experiment_id', '=', experimentId)
    .executeTakeFirst()
  const changes = await readChanges(db, experimentId)
  const missed = await missedStreamsOf(snapshot, experimentId)
  const ofAgents = await missedOfAgents(snapshot, experimentId)
  return {
    outcomes: await readOutcomes(db, experimentId),
    events: missed.reduce(
      (events, stream) => events + stream.last_seq - stream.counted_seq,
      (totals?.events ?? 0) + changes.events + ofAgents,
    ),
    sessionsWithGaps: (totals?.sessions_with_gaps ?? 0) + changes.gaps,
    lastEventAt: newestOf([
      totals?.last_event_at ?? null,
      changes.last_at,
      ...missed.map(({ last_at }) => last_at),
    ]),
  }
}

interface Changes {
  events: number
  gaps: number
  last_at: number | null
}

async function readChanges(db: Sql['db'], experimentId: string): Promise<Changes> {
  const { rows } = await sql<Changes>`
    select coalesce(sum(case when kind in ('events', 'agent_events') then count end), 0) as events,
      coalesce(sum(case when kind = 'gap' then count end), 0) as gaps,
      max(case when kind = 'events' then at end) as last_at
    from figure_deltas where experiment_id = ${experimentId}`.execute(db)
  return rows[0] ?? { events: 0, gaps: 0, last_at: null }
}

export async function readOutcomes(db: Sql['db'], experimentId: string): Promise<OutcomeCount[]> {
  const { rows } = await sql<OutcomeCount>`
    select revision, outcome, sum(people) as people from (
      select revision, case when is_decided = 1 then outcome end as outcome, people
      from outcome_counts where experiment_id = ${experimentId}
      union all
      select revision, outcome, count as people from figure_deltas
      where experiment_id = ${experimentId} and kind in ('joined', 'outcome')
    ) as counted
    group by revision, outcome having sum(people) <> 0 order by outcome`.execute(db)
  return rows
}

const newestOf = (times: readonly (number | null)[]): number | null =>
  times.reduce((newest, time) => (time !== null && (newest === null || time > newest) ? time : newest), null)
