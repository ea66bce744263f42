import type { ExperimentMonitor, ExperimentStatus } from '@atrium/contract'
import type { Sql } from './tables.ts'

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
  const people = await db
    .selectFrom('participants')
    .select(({ fn }) => [fn.countAll<number>().as('total'), fn.count<number>('completed_at').as('completed')])
    .where('experiment_id', '=', experimentId)
    .executeTakeFirstOrThrow()
  const present = await activeSessions(db, now)
    .select(({ fn }) => [
      fn.count<number>('p.participant_id').distinct().as('active'),
      fn.count<number>('r.room_id').distinct().as('openRooms'),
    ])
    .where('p.experiment_id', '=', experimentId)
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
    participants: { total: people.total, active: present.active, completed: people.completed },
    openRooms: present.openRooms,
    events: stored.events ?? 0,
    sessionsWithGaps: stored.gaps ?? 0,
    lastEventAt: lastEventAt === null ? null : new Date(lastEventAt).toISOString(),
  }
}

/** The last event of each session, by its key, and the newest of these: no scan over the events. */
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

/** Sessions that are alive, with their participant and, where there is one, their open room. */
export const activeSessions = (db: Sql['db'], now: number) =>
  db
    .selectFrom('sessions as s')
    .innerJoin('participants as p', 'p.participant_id', 's.participant_id')
    .leftJoin('rooms as r', (join) => join.onRef('r.room_id', '=', 'p.room_id').on('r.closed_at', 'is', null))
    .where('s.status', '=', 'active')
    .where('s.expires_at', '>', now)
