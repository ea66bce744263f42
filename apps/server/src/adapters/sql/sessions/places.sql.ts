import { sql } from 'kysely'
import type { PlaceChange } from '../../../modules/events/append.plan.ts'
import { recountAssignments } from '../rooms/assignment-counts.sql.ts'
import { forUpdate, type Sql } from '../tables.ts'

/**
 * R56: `experiments.participant_count` is the number of participants that hold a place, maintained while there is a
 * capacity and recounted when a revision sets one. Transactions that change it lock participants and streams first and
 * the experiment last.
 */
export async function returnPlaces({ db }: Sql, experimentIds: readonly string[]): Promise<void> {
  const byExperiment = Map.groupBy(experimentIds, (id) => id)
  for (const [experimentId, places] of inOrder(byExperiment))
    await sql`update experiments
      set participant_count = participant_count - case when capacity is null then 0 else ${sql.lit(places.length)} end
      where experiment_id = ${experimentId}`.execute(db)
}

/**
 * R56: places that are given back and taken by answers to the consent, whose participants are locked. Returns the
 * sessions for which none was left.
 */
export async function changePlaces(tx: Sql, changes: readonly PlaceChange[]): Promise<Set<string>> {
  const withoutPlace = new Set<string>()
  const byExperiment = Map.groupBy(changes, ({ experimentId }) => experimentId)
  for (const [experimentId, some] of inOrder(byExperiment)) {
    const returned = some.filter(({ kind }) => kind === 'returned').map(({ participantId }) => participantId)
    await giveUp(tx, experimentId, returned)
    for (const { kind, sessionId, participantId } of some)
      if (kind === 'taken' && !(await takePlace(tx, experimentId, participantId))) withoutPlace.add(sessionId)
  }
  await recountAssignments(
    tx,
    changes.map(({ participantId }) => participantId),
  )
  return withoutPlace
}

async function giveUp(tx: Sql, experimentId: string, participantIds: string[]): Promise<void> {
  if (participantIds.length === 0) return
  await tx.db
    .updateTable('participants')
    .set({ holds_place: 0 })
    .where('participant_id', 'in', participantIds)
    .execute()
  await returnPlaces(
    tx,
    participantIds.map(() => experimentId),
  )
}

/** So that two transactions that change places of the same experiments do not deadlock. */
const inOrder = <Value>(byExperiment: Map<string, Value>): [string, Value][] =>
  [...byExperiment].sort(([one], [other]) => (one < other ? -1 : 1))

/** False if there was none left. */
export async function takePlace({ db }: Sql, experimentId: string, participantId: string): Promise<boolean> {
  const { rows } = await sql<{ experiment_id: string }>`update experiments
    set participant_count = participant_count + case when capacity is null then 0 else 1 end
    where experiment_id = ${experimentId} and (capacity is null or participant_count < capacity)
    returning experiment_id`.execute(db)
  if (rows.length === 0) return false
  await db
    .updateTable('participants')
    .set({ holds_place: 1 })
    .where('participant_id', '=', participantId)
    .execute()
  return true
}

/**
 * Whether the first state is over for the participant of the current row, about whom no room has decided: a transition
 * out of a state is recorded, by the room where it decides, else by the room or a self-driven client. R68: whoever is past a stage
 * is past its first state.
 */
export const isFirstStateOver = (
  decidedBy: 'room' | 'client',
) => sql<boolean>`(participants.stay > 0 or exists (
  select 1 from sessions s
  join event_streams t on t.session_id = s.session_id
  join events e on e.stream_no = t.stream_no
  where s.participant_id = participants.participant_id
    and e.type = 'state_transition' and e.data not like '%"fromState":null%'
    ${decidedBy === 'room' ? sql`and e.room_seq is not null` : sql``}))`

/** Returns those who no longer wait; people who have a room or have completed keep their place. */
export async function leaveWaiting({ engine, db }: Sql, participantIds: string[]): Promise<string[]> {
  return await db.transaction().execute(async (db) => {
    const waiting = await db
      .selectFrom('participants')
      .select(['participant_id', 'experiment_id'])
      .where('participant_id', 'in', participantIds)
      .where('room_id', 'is', null)
      // R68: whoever has finished a stage has taken part.
      .where('stay', '=', 0)
      .where('completed_at', 'is', null)
      .where('holds_place', '=', 1)
      .orderBy('participant_id')
      .$call(forUpdate(engine))
      .execute()
    const ids = waiting.map((row) => row.participant_id)
    if (ids.length === 0) return []
    await db.updateTable('participants').set({ holds_place: 0 }).where('participant_id', 'in', ids).execute()
    await returnPlaces(
      { engine, db },
      waiting.map((row) => row.experiment_id),
    )
    return ids
  })
}

/** For somebody who comes back to the waiting room; false if there is no place. */
export async function waitAgain({ engine, db }: Sql, participantId: string): Promise<boolean> {
  return await db.transaction().execute(async (db) => {
    const row = await db
      .selectFrom('participants')
      .select(['experiment_id', 'holds_place'])
      .where('participant_id', '=', participantId)
      .$call(forUpdate(engine))
      .executeTakeFirstOrThrow()
    return row.holds_place === 1 || (await takePlace({ engine, db }, row.experiment_id, participantId))
  })
}
