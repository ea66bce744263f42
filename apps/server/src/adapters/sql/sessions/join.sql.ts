import type { ExperimentStatus } from '@atrium/contract'
import type { Selectable } from 'kysely'
import { type OverQuota, overQuota, withReserve } from '../../../kernel/quota.ts'
import { heldIn, heldIssuer } from '../../../modules/sessions/held-identity.plan.ts'
import { type ClosedReason, mergeMetadata, planJoin } from '../../../modules/sessions/join.plan.ts'
import type { JoinOutcome, JoinRequest } from '../../../modules/sessions/sessions.store.ts'
import { isUniqueViolation } from '../failures.ts'
import { lockParticipants } from '../locks.sql.ts'
import { recountAssignments } from '../rooms/assignment-counts.sql.ts'
import type { Sql, Tables } from '../tables.ts'
import { isPerson } from './held-identities.sql.ts'
import {
  enter,
  holdsIdentity,
  openSession,
  roleFor,
  rowsOfSession,
  type SessionStart,
} from './join-rows.sql.ts'
import { takePlace } from './places.sql.ts'
import { endSessions } from './session-end.sql.ts'
import { findSession } from './session-record.sql.ts'

/** More than one person or one researcher can cause at a time; something that fails this often is not a race. */
const maxAttempts = 4

/**
 * When a person's first two joins happen at the same time, the unique attempt lets one in; the other starts over and
 * finds a participation to resume. A join that meets a new revision, or somebody who is just forgotten, also starts over.
 */
export async function join(store: Sql, request: JoinRequest): Promise<JoinOutcome> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await attemptJoin(store, request)
    } catch (error) {
      if (error instanceof Full) return { kind: 'closed', reason: 'full' }
      if (error instanceof BeyondQuota) return { kind: 'over_quota', over: error.over }
      const startOver = error instanceof Outdated || isUniqueViolation(error)
      if (!startOver || attempt === maxAttempts) throw error
    }
  }
}

/** The experiment got a capacity, or the person another participation, after we read it and before we locked it. */
class Outdated extends Error {}
/** Somebody who had given their place back found no other; nothing of their join is kept. */
class Full extends Error {}
/** Somebody who comes back has stored too much; their former session stays as it was. */
class BeyondQuota extends Error {
  readonly over: OverQuota
  constructor(over: OverQuota) {
    super()
    this.over = over
  }
}

async function attemptJoin({ engine, db }: Sql, request: JoinRequest): Promise<JoinOutcome> {
  return await db.transaction().execute(async (db): Promise<JoinOutcome> => {
    const tx: Sql = { engine, db }
    const seen = await experimentRow(tx, request.experimentId).executeTakeFirst()
    if (!seen) return { kind: 'not_found' }
    const former = await formerParticipation(tx, request)
    const planFor = (experiment: ExperimentRow) =>
      planJoin({
        experimentStatus: experiment.status as ExperimentStatus,
        capacity: experiment.capacity,
        participantCount: experiment.participant_count,
        participation: former && participationOf(former),
        allowRepeat: request.allowRepeat,
        needsAccount: request.needsAccount,
      })
    const plan = planFor(seen)
    if (plan.kind === 'closed') return await closed(tx, plan.reason, former?.participant_id)
    if (plan.kind === 'needs_account') return plan
    if (plan.kind !== 'enter' && former) return await resume(tx, request, former, plan.kind)
    // Only now, as the last lock: a transaction that gives a place back already holds its participant's row when it
    // gets here.
    const experiment = await lockExperiment(tx, seen)
    const lockedPlan = planFor(experiment)
    if (lockedPlan.kind === 'closed') return { kind: 'closed', reason: lockedPlan.reason }
    if (!request.hasSpace) return { kind: 'no_space' }
    const over = overQuota(await storedBefore(tx, request, null), rowsOfSession, request.quota)
    if (over) return { kind: 'over_quota', over }
    const role = await roleFor(tx, request)
    await enter(tx, { ...request, role }, (former?.attempt ?? 0) + 1, experiment.capacity !== null)
    const session = await openSession(tx, request, request.newIds.participantId, {
      metadata: request.metadata,
      isHeld: holdsIdentity(request),
      startedAt: request.now,
      earlierBytes: 0,
    })
    return { kind: 'joined', session, revokedSessionIds: [] }
  })
}

type ExperimentRow = Selectable<Tables['experiments']>

/** Resumes the existing participation. If its place was given back (R56), it needs another one. */
async function resume(
  tx: Sql,
  request: JoinRequest,
  { participant_id: participantId, issuer }: { participant_id: string; issuer: string },
  kind: 'resume' | 'return',
): Promise<JoinOutcome> {
  const isHeld = issuer === heldIssuer
  const last = await formerSession(tx, request, participantId, isHeld)
  const revokedSessionIds = await endSessions.supersede(tx, [participantId], request.now)
  // Only now that the former streams are sealed: nothing is added to them any more.
  const stored = await storedBefore(tx, request, participantId)
  const over = overQuota(stored, rowsOfSession, withReserve(request.quota))
  if (over) throw new BeyondQuota(over)
  if (kind === 'return' && !(await takePlace(tx, request.experimentId, participantId))) throw new Full()
  const session = await openSession(tx, request, participantId, {
    metadata: mergeMetadata(last?.metadata, request.metadata),
    isHeld,
    // Joins may be simultaneous, or on instances whose clocks differ, but history and export rely on the order of sessions.
    startedAt: Math.max(request.now, (last?.startedAt ?? 0) + 1),
    earlierBytes: stored.participantBytes,
  })
  await recountAssignments(tx, [participantId])
  return { kind: 'joined', session, revokedSessionIds }
}

/** People who come back after the end learn how it ended and what they were given. */
async function closed(
  store: Sql,
  reason: ClosedReason,
  participantId: string | undefined,
): Promise<JoinOutcome> {
  if (reason !== 'already_completed' || participantId === undefined) return { kind: 'closed', reason }
  const row = await store.db
    .selectFrom('sessions')
    .select('session_id')
    .where('participant_id', '=', participantId)
    .where('status', '=', 'completed')
    .executeTakeFirst()
  const completed = row && (await findSession(store, row.session_id))
  return { kind: 'closed', reason, ...(completed && { completed }) }
}

const experimentRow = ({ db }: Sql, experimentId: string) =>
  db.selectFrom('experiments').selectAll().where('experiment_id', '=', experimentId)

/**
 * Joins wait for each other only if there is a capacity. Without one they share the lock, which still keeps a revision
 * from setting a capacity while somebody whom it must count is joining. A shared lock is never upgraded: two joins
 * that both tried would wait for each other forever.
 */
async function lockExperiment(tx: Sql, seen: ExperimentRow): Promise<ExperimentRow> {
  if (tx.engine === 'sqlite') return seen
  const query = experimentRow(tx, seen.experiment_id)
  if (seen.capacity !== null) return await query.forUpdate().executeTakeFirstOrThrow()
  const shared = await query.forShare().executeTakeFirstOrThrow()
  if (shared.capacity !== null) throw new Outdated()
  return shared
}

/**
 * Consent reveals an identity whose participant is locked, so a join that locked the identity as well would wait for it while
 * it waits for the participant (S27). Read again, because the participant may have changed while we waited.
 */
async function formerParticipation(tx: Sql, request: JoinRequest) {
  const newest = newestParticipation(tx, request)
  const seen = await newest.executeTakeFirst()
  if (!seen || tx.engine === 'sqlite') return seen
  await lockParticipants(tx, [seen.participant_id])
  const locked = await newest.executeTakeFirst()
  if (locked?.participant_id !== seen.participant_id) throw new Outdated()
  return locked
}

const newestParticipation = ({ db }: Sql, { person, experimentId }: JoinRequest) =>
  db
    .selectFrom('participant_identities as i')
    .innerJoin('participants as p', 'p.participant_id', 'i.participant_id')
    .select(['p.participant_id', 'p.completed_at', 'p.outcome', 'p.holds_place', 'i.attempt'])
    .select('i.issuer')
    .where(isPerson(person))
    .where('i.experiment_id', '=', experimentId)
    .orderBy('i.attempt', 'desc')
    .limit(1)

const participationOf = (row: {
  completed_at: number | null
  outcome: string | null
  holds_place: number
}) => ({
  completed: row.completed_at !== null,
  // People who come back after the room has decided no longer take part.
  needsPlace: row.holds_place === 0 && row.outcome === null,
})

/** Of a newcomer there is nothing yet. */
async function storedBefore({ db }: Sql, { experimentId }: JoinRequest, participantId: string | null) {
  const totals = await db
    .selectFrom('experiment_totals')
    .select('bytes')
    .where('experiment_id', '=', experimentId)
    .executeTakeFirst()
  const theirs =
    participantId === null
      ? undefined
      : await db
          .selectFrom('event_streams as t')
          .innerJoin('sessions as s', 's.session_id', 't.session_id')
          .select((eb) => eb.fn.sum<number>('t.stored_bytes').as('bytes'))
          .where('s.participant_id', '=', participantId)
          .executeTakeFirst()
  return { participantBytes: Number(theirs?.bytes ?? 0), experimentBytes: totals?.bytes ?? 0 }
}

type FormerSession = Pick<SessionStart, 'metadata' | 'startedAt'>

async function formerSession(
  { db }: Sql,
  { sealing }: JoinRequest,
  participantId: string,
  isHeld: boolean,
): Promise<FormerSession | undefined> {
  const row = await db
    .selectFrom('sessions as s')
    .innerJoin('session_origins as o', 'o.session_id', 's.session_id')
    .select(['o.metadata', 's.created_at'])
    .where('s.participant_id', '=', participantId)
    .orderBy('s.created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) return undefined
  const stored = JSON.parse(row.metadata)
  const metadata = isHeld ? ((sealing && heldIn(sealing, stored)?.metadata) ?? {}) : stored
  return { metadata, startedAt: row.created_at }
}
