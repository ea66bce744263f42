import {
  type ExperimentMonitor,
  type ExperimentStatus,
  outcomeNames,
  ownOutcomesIn,
  success,
} from '@atrium/contract'
import type { Sql } from '../tables.ts'
import { readDefinition } from './definitions.sql.ts'

export async function readMonitor(
  store: Sql,
  experimentId: string,
  now: number,
): Promise<Omit<ExperimentMonitor, 'availableSlots'> | undefined> {
  const { db } = store
  const experiment = await db
    .selectFrom('experiments')
    .select(['status', 'revision'])
    .where('experiment_id', '=', experimentId)
    .executeTakeFirst()
  if (!experiment) return undefined
  const counts = await countByOutcome(db, experimentId)
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
  const ofAgents = await db
    .selectFrom('agent_participants as a')
    .innerJoin('rooms as r', 'r.room_id', 'a.room_id')
    .innerJoin('event_streams as e', 'e.session_id', 'a.session_id')
    .select(({ fn }) => fn.sum<number | null>('e.last_seq').as('events'))
    .where('a.experiment_id', '=', experimentId)
    .where('r.pilot_id', 'is', null)
    .executeTakeFirstOrThrow()
  const lastEventAt = await newestReceipt(db, experimentId)
  return {
    experimentId,
    status: experiment.status as ExperimentStatus,
    revision: experiment.revision,
    participants: {
      total: sum(counts),
      active: present.active,
      completed: sum(await completedAmong(store, experimentId, counts)),
    },
    outcomes: Object.fromEntries(byName(counts).slice(0, mostOutcomes)),
    openRooms: present.openRooms,
    events: (stored.events ?? 0) + (ofAgents.events ?? 0),
    sessionsWithGaps: stored.gaps ?? 0,
    lastEventAt: lastEventAt === null ? null : new Date(lastEventAt).toISOString(),
  }
}

/** Where clients decide, they may use any name; nobody reads more names than this. */
const mostOutcomes = 100

interface OutcomeCount {
  revision: number
  outcome: string | null
  people: number
}

const platformNames: ReadonlySet<string> = new Set(outcomeNames)

/** X40: the ends that a definition plans for: SUCCESS, and outcomes of its own. Any other name may be a client's. */
async function completedAmong(
  store: Sql,
  experimentId: string,
  counts: readonly OutcomeCount[],
): Promise<OutcomeCount[]> {
  const completed = counts.filter(({ outcome }) => outcome === success)
  const others = counts.filter(({ outcome }) => outcome !== null && !platformNames.has(outcome))
  for (const [revision, some] of Map.groupBy(others, (row) => row.revision)) {
    const definition = await readDefinition(store, experimentId, revision)
    const own = new Set(definition && ownOutcomesIn(definition))
    completed.push(...some.filter(({ outcome }) => own.has(outcome ?? '')))
  }
  return completed
}

/** Over all revisions, the most frequent first. */
function byName(counts: readonly OutcomeCount[]): [string, number][] {
  const people = new Map<string, number>()
  for (const { outcome, people: more } of counts)
    if (outcome !== null) people.set(outcome, (people.get(outcome) ?? 0) + more)
  return [...people].toSorted(([, one], [, other]) => other - one)
}

const countByOutcome = async (db: Sql['db'], experimentId: string): Promise<OutcomeCount[]> =>
  await db
    .selectFrom('participants')
    .select(({ fn }) => ['revision', 'outcome', fn.countAll<number>().as('people')])
    .where('experiment_id', '=', experimentId)
    .groupBy(['revision', 'outcome'])
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
