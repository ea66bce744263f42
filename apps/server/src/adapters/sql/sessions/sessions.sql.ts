import type { SessionStatus } from '@atrium/contract'
import { sql } from 'kysely'
import type {
  ForgetPosition,
  ForgetRequest,
  HistoryEntry,
  PersonKey,
  SessionStore,
} from '../../../modules/sessions/sessions.store.ts'
import { activeSessions } from '../experiments/monitor.sql.ts'
import { lockOfSessions } from '../locks.sql.ts'
import { rowSet } from '../row-set.ts'
import type { Sql } from '../tables.ts'
import { complete } from './complete.sql.ts'
import { isPerson } from './held-identities.sql.ts'
import { join } from './join.sql.ts'
import { leaveWaiting, waitAgain } from './places.sql.ts'
import { endSessions } from './session-end.sql.ts'
import { findSessionId } from './session-pseudonyms.sql.ts'
import { findSession, findSessions } from './session-record.sql.ts'
import { settleIdentity, unsettledPeople } from './settle-identities.sql.ts'

export const createSessionStore = (store: Sql): SessionStore => ({
  join: (request) => join(store, request),
  complete: (request) => complete(store, request),
  find: (sessionId) => findSession(store, sessionId),
  findMany: (sessionIds) => findSessions(store, sessionIds),
  async activeIdsOf(participantIds) {
    const rows = await store.db
      .selectFrom('sessions')
      .select('session_id')
      .where('participant_id', 'in', participantIds)
      .where('status', '=', 'active')
      .execute()
    return rows.map((row) => row.session_id)
  },
  async findNewest(person, experimentId) {
    const row = await sessionsOf(store, person)
      .select('s.session_id')
      .where('i.experiment_id', '=', experimentId)
      .orderBy('i.attempt', 'desc')
      .orderBy('s.created_at', 'desc')
      .limit(1)
      .executeTakeFirst()
    return row && (await findSession(store, row.session_id))
  },
  async idsOf(person, experimentId) {
    const rows = await sessionsOf(store, person)
      .select('s.session_id')
      .where('i.experiment_id', '=', experimentId)
      .execute()
    return rows.map((row) => row.session_id)
  },
  findId: (pseudonym) => findSessionId(store, pseudonym),
  revoke: (revoked) => endSessions.revoke(store, revoked),
  expire: (now) => endSessions.expire(store, now),
  forgetOrigins: (request) => forgetOrigins(store, request),
  unsettledPeople: (before) => unsettledPeople(store, before),
  settleIdentity: (settled) => settleIdentity(store, settled),
  async touch(activity) {
    const rows = activity.map(({ sessionId, at }) => ({ session_id: sessionId, at }))
    const seen = rowSet(store.engine, 'seen', { session_id: 'text', at: 'bigint' }, rows)
    // Instances see the same sessions in different order; locking in a fixed order prevents deadlocks.
    const inOrder = store.engine === 'postgres' ? sql`order by s.session_id for update of s` : sql``
    await sql`with due as (
        select s.session_id, seen.at from sessions s join ${seen} on seen.session_id = s.session_id
        where s.last_activity_at < seen.at ${inOrder}
      )
      update sessions set last_activity_at = due.at from due
      where sessions.session_id = due.session_id`.execute(store.db)
  },
  history: (person, now) => history(store, person, now),
  async activeExperiments(now) {
    const row = await store.db
      .selectFrom('rooms as open')
      .select(({ fn }) => fn.count<number>('open.experiment_id').distinct().as('experiments'))
      .where('open.closed_at', 'is', null)
      .where(({ or, eb, exists }) =>
        or([
          eb('open.ordinal', 'is not', null),
          exists(
            activeSessions(store.db, now)
              .select('s.session_id')
              .where('p.room_id', '=', sql.ref<string>('open.room_id')),
          ),
        ]),
      )
      .executeTakeFirstOrThrow()
    return row.experiments
  },
  async lastRoomOf(participantId) {
    const row = await store.db
      .selectFrom('former_stays')
      .select('room_id')
      .where('participant_id', '=', participantId)
      .orderBy('stay', 'desc')
      .limit(1)
      .executeTakeFirst()
    return row?.room_id
  },
  async toStage(participantId, stage) {
    await store.db
      .updateTable('participants')
      .set({ stage })
      .where('participant_id', '=', participantId)
      .where('room_id', 'is', null)
      .where('completed_at', 'is', null)
      .execute()
  },
  leaveWaiting: (participantIds) => leaveWaiting(store, participantIds),
  waitAgain: (participantId) => waitAgain(store, participantId),
})

const sessionsOf = ({ db }: Sql, person: PersonKey) =>
  db
    .selectFrom('participant_identities as i')
    .innerJoin('sessions as s', 's.participant_id', 'i.participant_id')
    .where(isPerson(person))

async function history(store: Sql, person: PersonKey, now: number): Promise<HistoryEntry[]> {
  const rows = await sessionsOf(store, person)
    .innerJoin('participants as p', 'p.participant_id', 's.participant_id')
    .innerJoin('experiment_revisions as x', (on) =>
      on.onRef('x.experiment_id', '=', 'p.experiment_id').onRef('x.revision', '=', 'p.revision'),
    )
    .selectAll('s')
    .select(['p.experiment_id', 'x.name'])
    .orderBy('s.created_at', 'desc')
    .orderBy('s.session_id')
    .execute()
  return rows.map((row) => ({
    participantId: row.participant_id,
    sessionId: row.session_id,
    experimentId: row.experiment_id,
    experimentName: row.name,
    status: row.status === 'active' && row.expires_at <= now ? 'expired' : (row.status as SessionStatus),
    startedAt: new Date(row.created_at).toISOString(),
    completedAt:
      row.status === 'completed' && row.ended_at !== null ? new Date(row.ended_at).toISOString() : null,
    completionCode: row.completion_code,
  }))
}

const sessionsPerStep = 500

/** Walks the index of sessions by expiry. Null once there are no further ones. */
async function forgetOrigins(
  { engine, db }: Sql,
  { status, after, expiredBefore }: ForgetRequest,
): Promise<ForgetPosition | null> {
  const due = await db
    .selectFrom('sessions')
    .select(['session_id as sessionId', 'expires_at as expiresAt'])
    .where('status', '=', status)
    .where('expires_at', '<', expiredBefore)
    .where(sql<boolean>`(expires_at, session_id) > (${after.expiresAt}, ${after.sessionId})`)
    .orderBy('expires_at')
    .orderBy('session_id')
    .limit(sessionsPerStep)
    .execute()
  const last = due.at(-1)
  if (!last) return null
  const ids = due.map(({ sessionId }) => sessionId)
  await db.transaction().execute(async (db) => {
    await lockOfSessions({ engine, db }, 'session_origins', ids)
    await db
      .updateTable('session_origins')
      .set({ ip_address: '', user_agent: '' })
      .where('session_id', 'in', ids)
      .where(({ or, eb }) => or([eb('ip_address', '<>', ''), eb('user_agent', '<>', '')]))
      .execute()
  })
  return last
}
