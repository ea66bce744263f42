import type { TryTraces } from '../../../modules/tries/tries.store.ts'
import { lockOfSessions } from '../locks.sql.ts'
import { deleteStreams } from '../privacy/delete-streams.sql.ts'
import { deleteRoom } from '../privacy/erase-room.sql.ts'
import { endSessions } from '../sessions/session-end.sql.ts'
import { forUpdate, type Sql } from '../tables.ts'
import { unpinTables } from '../trial-tables/pinned-tables.sql.ts'

/** Instances that hold a room of it write nothing more, because the room's epoch has passed. */
export async function closeTry({ engine, db }: Sql, tryId: string, now: number): Promise<TryTraces> {
  // First and by itself: a join that began before has committed once this is written, and later ones are refused.
  await db
    .updateTable('experiments')
    .set({ status: 'closed', updated_at: now })
    .where('experiment_id', '=', tryId)
    .execute()
  return await db.transaction().execute(async (db) => {
    const participantIds = await lockPeople({ engine, db }, tryId)
    await endSessions.supersede({ engine, db }, participantIds, now)
    const rooms = await lockRooms({ engine, db }, tryId)
    await db
      .updateTable('rooms')
      .set((eb) => ({ epoch: eb('epoch', '+', 1) }))
      .where('experiment_id', '=', tryId)
      .execute()
    const sessions = await db
      .selectFrom('sessions as s')
      .innerJoin('participants as p', 'p.participant_id', 's.participant_id')
      .select('s.session_id')
      .where('p.experiment_id', '=', tryId)
      .execute()
    return {
      participantIds,
      sessionIds: sessions.map(({ session_id }) => session_id),
      roomIds: rooms.map(({ room_id }) => room_id),
    }
  })
}

async function lockPeople({ engine, db }: Sql, tryId: string): Promise<string[]> {
  const people = await db
    .selectFrom('participants')
    .select('participant_id')
    .where('experiment_id', '=', tryId)
    .orderBy('participant_id')
    .$call(forUpdate(engine))
    .execute()
  return people.map(({ participant_id }) => participant_id)
}

const lockRooms = async ({ engine, db }: Sql, tryId: string) =>
  await db
    .selectFrom('rooms')
    .select('room_id')
    .where('experiment_id', '=', tryId)
    .orderBy('room_id')
    .$call(forUpdate(engine))
    .execute()

/** Whatever counts what happened in it. */
const figures = [
  'figure_deltas',
  'activity_counts',
  'outcome_counts',
  'experiment_totals',
  'event_tallies',
] as const

const ofExperiment = [
  'participant_identities',
  'assignments',
  'matches',
  'stay_assignments',
  'participants',
  'role_draws',
  'deleted_people',
  'experiment_media',
  'experiment_revisions',
  'tries',
  'experiments',
  'assignment_counts',
] as const

export async function removeTry({ engine, db }: Sql, tryId: string): Promise<void> {
  await db.transaction().execute(async (db) => {
    const tx: Sql = { engine, db }
    // Only a try is ever deleted like this.
    const found = await db
      .selectFrom('tries')
      .select('experiment_id')
      .where('experiment_id', '=', tryId)
      .executeTakeFirst()
    if (!found) return
    await lockPeople(tx, tryId)
    const sessions = db
      .selectFrom('sessions as s')
      .innerJoin('participants as p', 'p.participant_id', 's.participant_id')
      .select('s.session_id')
      .where('p.experiment_id', '=', tryId)
    const streams = await db
      .selectFrom('event_streams')
      .select(['stream_no', 'session_id'])
      .where('session_id', 'in', sessions)
      .orderBy('session_id')
      .$call(forUpdate(engine))
      .execute()
    await lockOfSessions(
      tx,
      'sessions',
      streams.map(({ session_id }) => session_id),
    )
    await deleteStreams(
      tx,
      streams.map(({ stream_no }) => stream_no),
    )
    for (const { room_id } of await lockRooms(tx, tryId)) await deleteRoom(tx, room_id)
    await db.deleteFrom('session_origins').where('session_id', 'in', sessions).execute()
    for (const table of ['sessions', 'former_stays'] as const)
      await db
        .deleteFrom(table)
        .where('participant_id', 'in', ({ selectFrom }) =>
          selectFrom('participants').select('participant_id').where('experiment_id', '=', tryId),
        )
        .execute()
    for (const table of [...figures, ...ofExperiment])
      await db.deleteFrom(table).where('experiment_id', '=', tryId).execute()
    await unpinTables(tx, tryId)
  })
}
