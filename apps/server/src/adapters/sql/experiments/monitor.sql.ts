import {
  type ExperimentMonitor,
  type ExperimentStatus,
  outcomeNames,
  ownOutcomesIn,
  studyOf,
  success,
} from '@atrium/contract'
import { sql } from 'kysely'
import { type OutcomeCount, readFigures } from '../figures/read-figures.sql.ts'
import { inSnapshot } from '../figures/snapshot.ts'
import type { Sql } from '../tables.ts'
import { readDefinition } from './definitions.sql.ts'

/** X21. All of it belongs to one moment. */
export async function readMonitor(
  store: Sql,
  experimentId: string,
  now: number,
): Promise<Omit<ExperimentMonitor, 'availableSlots'> | undefined> {
  return await inSnapshot(store, async (snapshot) => {
    const { db } = snapshot
    const experiment = await db
      .selectFrom('experiments')
      .select(['status', 'revision'])
      .where('experiment_id', '=', experimentId)
      .executeTakeFirst()
    if (!experiment) return undefined
    const figures = await readFigures(snapshot, experimentId)
    const { active, openRooms } = await countPresent(db, experimentId, now)
    const { outcomes: counts, lastEventAt } = figures
    return {
      experimentId,
      status: experiment.status as ExperimentStatus,
      revision: experiment.revision,
      participants: {
        total: sum(counts),
        active,
        completed: sum(await completedAmong(snapshot, experimentId, counts)),
      },
      outcomes: Object.fromEntries(byName(counts).slice(0, maxOutcomes)),
      openRooms,
      events: figures.events,
      sessionsWithGaps: figures.sessionsWithGaps,
      lastEventAt: lastEventAt === null ? null : new Date(lastEventAt).toISOString(),
    }
  })
}

/** Among the sessions that are alive, wherever they belong: how many there have been does not matter. */
const countPresent = async (db: Sql['db'], experimentId: string, now: number) =>
  await activeSessions(db, now)
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

/** Where clients decide, they may use any name; nobody reads more names than this. */
const maxOutcomes = 100

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
    const own = new Set(definition && ownOutcomesIn(studyOf(definition)))
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

const sum = (rows: readonly OutcomeCount[]): number => rows.reduce((total, { people }) => total + people, 0)

/**
 * Living sessions with their participant and, if there is one, their open room. Their status is not a parameter: a prepared
 * plan must know that there are few, or PostgreSQL begins with all participants of the experiment.
 */
export const activeSessions = (db: Sql['db'], now: number) =>
  db
    .selectFrom('sessions as s')
    .innerJoin('participants as p', 'p.participant_id', 's.participant_id')
    .leftJoin('rooms as r', (join) => join.onRef('r.room_id', '=', 'p.room_id').on('r.closed_at', 'is', null))
    .where('s.status', '=', sql.lit('active'))
    .where('s.expires_at', '>', now)
