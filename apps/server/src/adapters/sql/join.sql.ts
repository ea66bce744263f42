import type { ExperimentStatus } from '@atrium/contract'
import type { Selectable } from 'kysely'
import { pseudonymOf } from '../../kernel/ids.ts'
import { planJoin } from '../../modules/sessions/join.plan.ts'
import type { JoinOutcome, JoinRequest, SessionRecord } from '../../modules/sessions/sessions.store.ts'
import { isUniqueViolation } from './failures.ts'
import { endSessions } from './session-end.sql.ts'
import { findSession } from './session-record.sql.ts'
import { forUpdate, type Sql, type Tables } from './tables.ts'

/** More than one person or one researcher can cause at a time; what fails this often is not a race. */
const mostAttempts = 4

/**
 * Two first joins of one person at the same moment: the unique attempt lets one in, the other starts over and
 * finds a participation to resume. A join that meets a revision on its way starts over as well.
 */
export async function join(store: Sql, request: JoinRequest): Promise<JoinOutcome> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await attemptJoin(store, request)
    } catch (error) {
      const startOver = error instanceof GotCapacity || isUniqueViolation(error)
      if (!startOver || attempt === mostAttempts) throw error
    }
  }
}

/** The experiment got a capacity between the look at it and the lock. */
class GotCapacity extends Error {}

async function attemptJoin({ engine, db }: Sql, request: JoinRequest): Promise<JoinOutcome> {
  return await db.transaction().execute(async (db): Promise<JoinOutcome> => {
    const tx: Sql = { engine, db }
    const experiment = await lockExperiment(tx, request.experimentId)
    if (!experiment) return { kind: 'not_found' }
    const former = await formerParticipation(tx, request)
    const plan = planJoin({
      experimentStatus: experiment.status as ExperimentStatus,
      capacity: experiment.capacity,
      participantCount: experiment.participant_count,
      participation: former && { completed: former.completed_at !== null },
      allowRepeat: request.allowRepeat,
    })
    if (plan.kind === 'closed') return plan
    if (plan.kind === 'resume' && former) {
      const last = await formerSession(tx, former.participant_id)
      const revokedSessionIds = await endSessions.supersede(tx, former.participant_id, request.now)
      const session = await openSession(tx, request, former.participant_id, {
        metadata: { ...last?.metadata, ...request.metadata },
        // Joins at once, or on pods whose clocks differ: history and export rely on the order of the sessions.
        startedAt: Math.max(request.now, (last?.startedAt ?? 0) + 1),
      })
      return { kind: 'joined', session, revokedSessionIds }
    }
    await enter(tx, request, (former?.attempt ?? 0) + 1, experiment.capacity !== null)
    const session = await openSession(tx, request, request.newIds.participantId, {
      metadata: request.metadata,
      startedAt: request.now,
    })
    return { kind: 'joined', session, revokedSessionIds: [] }
  })
}

/**
 * Only a capacity makes joins wait for each other. Without one they share the lock, which still keeps a revision
 * from setting a capacity while someone whom it must count is on the way in. A shared lock is never made
 * exclusive: two joins that both try would wait for each other for ever.
 */
async function lockExperiment(
  { engine, db }: Sql,
  experimentId: string,
): Promise<Selectable<Tables['experiments']> | undefined> {
  const query = db.selectFrom('experiments').selectAll().where('experiment_id', '=', experimentId)
  const row = await query.executeTakeFirst()
  if (!row || engine === 'sqlite') return row
  if (row.capacity !== null) return await query.forUpdate().executeTakeFirst()
  const shared = await query.forShare().executeTakeFirst()
  if (shared && shared.capacity !== null) throw new GotCapacity()
  return shared
}

async function formerParticipation({ engine, db }: Sql, { person, experimentId }: JoinRequest) {
  return await db
    .selectFrom('participant_identities as i')
    .innerJoin('participants as p', 'p.participant_id', 'i.participant_id')
    .select(['p.participant_id', 'p.completed_at', 'i.attempt'])
    .where('i.issuer', '=', person.issuer)
    .where('i.subject', '=', person.subject)
    .where('i.experiment_id', '=', experimentId)
    .orderBy('i.attempt', 'desc')
    .limit(1)
    .$call(forUpdate(engine))
    .executeTakeFirst()
}

interface SessionStart {
  metadata: Record<string, unknown>
  startedAt: number
}

/** A reload may join without the address' parameters; what the first join knew (a recruiter's id) is kept. */
async function formerSession({ db }: Sql, participantId: string): Promise<SessionStart | undefined> {
  const row = await db
    .selectFrom('sessions as s')
    .innerJoin('session_origins as o', 'o.session_id', 's.session_id')
    .select(['o.metadata', 's.created_at'])
    .where('s.participant_id', '=', participantId)
    .orderBy('s.created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && { metadata: JSON.parse(row.metadata), startedAt: row.created_at }
}

async function enter(
  { db }: Sql,
  request: JoinRequest,
  attempt: number,
  hasCapacity: boolean,
): Promise<void> {
  const { experimentId, revision, person, now, newIds } = request
  const shared = { experiment_id: experimentId, revision }
  await db
    .insertInto('participant_identities')
    .values({ participant_id: newIds.participantId, experiment_id: experimentId, ...person, attempt })
    .execute()
  if (request.soloRoom)
    await db
      .insertInto('rooms')
      .values({
        ...shared,
        ...{ room_id: newIds.roomId, pod_id: request.podId },
        ...{ created_at: now, closed_at: null, resting_since: now },
      })
      .execute()
  await db
    .insertInto('participants')
    .values({
      ...shared,
      participant_id: newIds.participantId,
      role: request.role,
      room_id: request.soloRoom ? newIds.roomId : null,
      joined_at: now,
      completed_at: null,
    })
    .execute()
  if (hasCapacity)
    await db
      .updateTable('experiments')
      .set((eb) => ({ participant_count: eb('participant_count', '+', 1) }))
      .where('experiment_id', '=', experimentId)
      .execute()
}

async function openSession(
  tx: Sql,
  request: JoinRequest,
  participantId: string,
  { metadata, startedAt }: SessionStart,
): Promise<SessionRecord> {
  const { now, expiresAt, ipAddress, userAgent, newIds } = request
  const session_id = newIds.sessionId
  await tx.db
    .insertInto('sessions')
    .values({
      session_id,
      pseudonym: pseudonymOf(session_id),
      participant_id: participantId,
      status: 'active',
      created_at: startedAt,
      last_activity_at: startedAt,
      expires_at: expiresAt + (startedAt - now),
      final_state_unknown: 0,
      missing_events: 0,
    })
    .execute()
  await tx.db
    .insertInto('session_origins')
    .values({ session_id, ip_address: ipAddress, user_agent: userAgent, metadata: JSON.stringify(metadata) })
    .execute()
  await tx.db.insertInto('event_streams').values({ session_id, last_seq: 0, sealed: 0 }).execute()
  const session = await findSession(tx, session_id)
  if (!session) throw new Error('a session that was just written cannot be read back')
  return session
}
