import type { Sql } from './tables.ts'

/*
 * S27: every transaction locks participants, then streams, sessions, rooms, experiments and cells, in this order, and several
 * rows of a table in the order of their ids. Identities and origins belong to a participant, who is locked first. So no two
 * transactions wait for each other. SQLite has one transaction at a time.
 */

export async function lockParticipants(
  { engine, db }: Sql,
  participantIds: readonly string[],
): Promise<void> {
  if (engine === 'sqlite' || participantIds.length === 0) return
  await db
    .selectFrom('participants')
    .select('participant_id')
    .where('participant_id', 'in', participantIds)
    .orderBy('participant_id')
    .forUpdate()
    .execute()
}

/** An update of many rows locks them in arbitrary order, so they are locked before. */
export async function lockOfSessions(
  { engine, db }: Sql,
  table: 'event_streams' | 'sessions' | 'session_origins',
  sessionIds: readonly string[],
): Promise<void> {
  if (engine === 'sqlite' || sessionIds.length === 0) return
  await db
    .selectFrom(table)
    .select('session_id')
    .where('session_id', 'in', sessionIds)
    .orderBy('session_id')
    .forUpdate()
    .execute()
}
