import { type ExperimentMonitor, type ExperimentStatus, outcomeNames, success } from '@atrium/contract'
import type { Sql } from '../tables.ts'

export async function readMonitor(
  { db }: Sql,
  experimentId: string,
  now: number,
): Promise<Omit<ExperimentMonitor, 'availableSlots'> | undefined> {
  const experiment = await db
    .selectFrom('experiments')
    .select(['status', 'revision'])
    .where('experiment_id', '=', experimentId)
    .executeTakeFirst()
  if (!experiment) return undefined
  const byOutcome = await countByOutcome(db, experimentId)
  const ended = byOutcome.filter((row) => row.outcome !== null)
  const present = await activeSessions(db, now)
    .select(({ fn }) => [
      fn.count<number>('p.participant_id').distinct().as('active'),
      fn.count<number>('r.room_id').distinct().as('openRooms'),
    ])
    .where('p.experiment_id', '=', experimentId)
    // People who have an outcome, or whose room is closed, just have not asked for their code yet.
    .where('p.outcome', 'is', null)
    .where(({ or, eb }) => or([eb('p.room_id', 'is', null), eb('r.room_id', 'is not', null)]))
    // X48: nobody is connected to a resting room. One that has not begun may belong to people who only use HTTP.
    .where(({ or, eb }) => or([eb('r.resting_since', 'is', null), eb('r.ordinal', 'is', null)]))
    .executeTakeFirstOrThrow()
  const stored = await db
    .selectFrom('participants as p')
    .innerJoin('sessions as s', 's.participant_id', 'p.participant_id')
    .innerJoin('event_streams as e', 'e.session_id', 's.session_id')
    .select(({ fn, eb }) => [
      fn.sum<number | null>('e.last_seq').as('events'),
      fn.sum<number | null>(eb.case().when('s.missing_events', '>', 0).then(1).else(0).end()).as('gaps'),
    ])
    .where('p.experiment_id', '=', experimentId)
    .executeTakeFirstOrThrow()
  const lastEventAt = await newestReceipt(db, experimentId)
  return {
    experimentId,
    status: experiment.status as ExperimentStatus,
    revision: experiment.revision,
    participants: {
      total: sum(byOutcome),
      active: present.active,
      completed: sum(ended.filter(({ outcome }) => !otherEndings.has(outcome ?? ''))),
    },
    outcomes: Object.fromEntries(
      ended.slice(0, mostOutcomes).map(({ outcome, people }) => [outcome ?? '', people]),
    ),
    openRooms: present.openRooms,
    events: stored.events ?? 0,
    sessionsWithGaps: stored.gaps ?? 0,
    lastEventAt: lastEventAt === null ? null : new Date(lastEventAt).toISOString(),
  }
}

/** Where clients decide, they may use any name; nobody reads more names than this. */
const mostOutcomes = 100

/** The platform's own outcomes that do not count as completing the study. */
const otherEndings: ReadonlySet<string> = new Set(outcomeNames.filter((name) => name !== success))

interface OutcomeCount {
  outcome: string | null
  people: number
}

const countByOutcome = async (db: Sql['db'], experimentId: string): Promise<OutcomeCount[]> =>
  await db
    .selectFrom('participants')
    .select(({ fn }) => ['outcome', fn.countAll<number>().as('people')])
    .where('experiment_id', '=', experimentId)
    .groupBy('outcome')
    .orderBy('people', 'desc')
    .orderBy('outcome')
    .execute()

const sum = (rows: readonly OutcomeCount[]): number => rows.reduce((total, { people }) => total + people, 0)

/** The newest of the sessions' last events, each found by its key: no scan over the events. */
async function newestReceipt(db: Sql['db'], experimentId: string): Promise<number | null> {
  const row = await db
    .selectFrom('participants as p')
    .innerJoin('sessions as s', 's.participant_id', 'p.participant_id')
    .innerJoin('event_streams as t', 't.session_id', 's.session_id')
    .innerJoin('events as e', (join) =>
      join.onRef('e.stream_no', '=', 't.stream_no').onRef('e.seq', '=', 't.last_seq'),
    )
    .select(({ fn }) => fn.max('e.received_at').as('at'))
    .where('p.experiment_id', '=', experimentId)
    .executeTakeFirst()
  return row?.at ?? null
}

/** Living sessions with their participant and, if there is one, their open room. */
export const activeSessions = (db: Sql['db'], now: number) =>
  db
    .selectFrom('sessions as s')
    .innerJoin('participants as p', 'p.participant_id', 's.participant_id')
    .leftJoin('rooms as r', (join) => join.onRef('r.room_id', '=', 'p.room_id').on('r.closed_at', 'is', null))
    .where('s.status', '=', 'active')
    .where('s.expires_at', '>', now)
