import { type SessionStatus, studyOf, success, verificationOf } from '@atrium/contract'
import { pseudonymOf } from '../../../kernel/ids.ts'
import type { SessionStore } from '../../../modules/sessions/sessions.store.ts'
import { readDefinition } from '../experiments/definitions.sql.ts'
import { lockOfSessions, lockParticipants } from '../locks.sql.ts'
import { writeAudit } from '../operations.sql.ts'
import { recountAssignments } from '../rooms/assignment-counts.sql.ts'
import { forUpdate, type Sql } from '../tables.ts'
import { isFirstStateOver, returnPlaces } from './places.sql.ts'

export async function lockStream({ engine, db }: Sql, sessionId: string) {
  return await db
    .selectFrom('event_streams')
    .select(['last_seq', 'sealed'])
    .where('session_id', '=', sessionId)
    .$call(forUpdate(engine))
    .executeTakeFirst()
}

/** After this no event is accepted; whatever was acknowledged before is stored. */
export async function sealStreams(tx: Sql, sessionIds: string[]): Promise<void> {
  if (sessionIds.length === 0) return
  await lockOfSessions(tx, 'event_streams', sessionIds)
  await tx.db.updateTable('event_streams').set({ sealed: 1 }).where('session_id', 'in', sessionIds).execute()
}

async function setStatus(tx: Sql, sessionIds: string[], status: SessionStatus, now: number): Promise<void> {
  if (sessionIds.length === 0) return
  await lockOfSessions(tx, 'sessions', sessionIds)
  await tx.db
    .updateTable('sessions')
    .set({ status, ended_at: now })
    .where('session_id', 'in', sessionIds)
    .where('status', '=', 'active')
    .execute()
}

async function revoke(
  { engine, db }: Sql,
  { sessionId, actor, now }: Parameters<SessionStore['revoke']>[0],
): Promise<SessionStatus | undefined> {
  return await db.transaction().execute(async (db) => {
    const tx: Sql = { engine, db }
    const session = db.selectFrom('sessions').where('session_id', '=', sessionId)
    const found = await session.select('participant_id').executeTakeFirst()
    if (!found) return undefined
    await lockParticipants(tx, [found.participant_id])
    await lockStream(tx, sessionId)
    const row = await session.select(['status', 'participant_id']).executeTakeFirst()
    if (!row) return undefined
    if (row.status !== 'active') return row.status as SessionStatus
    await sealStreams(tx, [sessionId])
    await setStatus(tx, [sessionId], 'revoked', now)
    await recountAssignments(tx, [row.participant_id])
    const subject = pseudonymOf(sessionId)
    await writeAudit(db, { at: now, actor, action: 'session_revoked', subject, details: {} })
    return 'revoked'
  })
}

/** R14: a participant has one active session. Earlier ones are revoked, or expired if their time was over. */
async function supersede(tx: Sql, participantIds: readonly string[], now: number): Promise<string[]> {
  if (participantIds.length === 0) return []
  const rows = await tx.db
    .selectFrom('sessions')
    .select(['session_id', 'expires_at'])
    .where('participant_id', 'in', participantIds)
    .where('status', '=', 'active')
    .execute()
  const over = rows.filter((row) => row.expires_at <= now).map((row) => row.session_id)
  const alive = rows.filter((row) => row.expires_at > now).map((row) => row.session_id)
  await sealStreams(tx, [...over, ...alive])
  await setStatus(tx, over, 'expired', now)
  await setStatus(tx, alive, 'revoked', now)
  return [...over, ...alive]
}

const expiredPerSweep = 500

async function expire({ engine, db }: Sql, now: number): Promise<string[]> {
  return await db.transaction().execute(async (db) => {
    const tx: Sql = { engine, db }
    const due = db
      .selectFrom('sessions')
      .select(['session_id', 'participant_id'])
      .where('status', '=', 'active')
      .where('expires_at', '<=', now)
      .limit(expiredPerSweep)
    const rows = await due.execute()
    if (rows.length === 0) return []
    await lockParticipants(
      tx,
      rows.map((row) => row.participant_id),
    )
    await setExpired(tx, rows, now)
    return rows.map((row) => row.session_id)
  })
}

/** For a participant who is locked and cannot come back: as if their time were over. */
async function expireNow(tx: Sql, participantId: string, now: number): Promise<void> {
  const active = await tx.db
    .selectFrom('sessions')
    .select(['session_id', 'participant_id'])
    .where('participant_id', '=', participantId)
    .where('status', '=', 'active')
    .execute()
  if (active.length > 0) await setExpired(tx, active, now)
}

async function setExpired(
  tx: Sql,
  rows: readonly { session_id: string; participant_id: string }[],
  now: number,
): Promise<void> {
  const ids = rows.map((row) => row.session_id)
  const participantIds = rows.map((row) => row.participant_id)
  await sealStreams(tx, ids)
  await setStatus(tx, ids, 'expired', now)
  await returnPlacesOfGone(tx, participantIds)
  await recountAssignments(tx, participantIds)
}

/**
 * R56: people who have not come back within the lifetime of a session have left; before the end of the first state,
 * without a trace.
 */
async function returnPlacesOfGone(tx: Sql, participantIds: string[]): Promise<void> {
  const candidates = await tx.db
    .selectFrom('participants')
    .select(['participant_id', 'experiment_id', 'revision', 'outcome'])
    .select(isFirstStateOver('client').as('has_moved'))
    .where('participant_id', 'in', participantIds)
    .where('holds_place', '=', 1)
    .where('completed_at', 'is', null)
    .where(({ or, eb }) => or([eb('outcome', 'is', null), eb('outcome', '<>', success)]))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          // They may have come back at this moment.
          selectFrom('sessions')
            .select('session_id')
            .whereRef('sessions.participant_id', '=', 'participants.participant_id')
            .where('status', '=', 'active'),
        ),
      ),
    )
    .where(({ not }) => not(isFirstStateOver('room')))
    .execute()
  const whoDecides = decidersOf(tx)
  const gone: typeof candidates = []
  for (const row of candidates) if (await isPlaceFree(row, whoDecides)) gone.push(row)
  if (gone.length === 0) return
  await tx.db
    .updateTable('participants')
    .set({ holds_place: 0 })
    .where(
      'participant_id',
      'in',
      gone.map((row) => row.participant_id),
    )
    .execute()
  await returnPlaces(
    tx,
    gone.map((row) => row.experiment_id),
  )
}

interface GoneRow {
  experiment_id: string
  revision: number
  outcome: string | null
  /** Whether anybody, be it the client, has recorded a transition. */
  has_moved: boolean
}

/** What the room has decided about a place stands where the room decides; what the client has recorded counts elsewhere. */
async function isPlaceFree(row: GoneRow, whoDecides: ReturnType<typeof decidersOf>): Promise<boolean> {
  const { outcome, has_moved: hasMoved } = row
  if (outcome === null && !hasMoved) return true
  return (await whoDecides(row)) === 'room' ? outcome === null : !hasMoved
}

/** R52: who decides in a revision. Each definition, which may be long, is read once. */
function decidersOf(tx: Sql) {
  const known = new Map<string, 'room' | 'none'>()
  return async ({ experiment_id, revision }: GoneRow): Promise<'room' | 'none'> => {
    const key = `${experiment_id} ${revision}`
    const definition = known.has(key) ? undefined : await readDefinition(tx, experiment_id, revision)
    const decider = known.get(key) ?? (definition ? verificationOf(studyOf(definition)) : 'none')
    known.set(key, decider)
    return decider
  }
}

export const endSessions = { revoke, supersede, expire, expireNow }
