import { pseudonymOf } from '../../../kernel/ids.ts'
import { bytesOf } from '../../../kernel/quota.ts'
import { heldIssuer, heldMetadata } from '../../../modules/sessions/held-identity.plan.ts'
import { drawRole } from '../../../modules/sessions/join.plan.ts'
import type { JoinRequest, SessionRecord } from '../../../modules/sessions/sessions.store.ts'
import type { Sql } from '../tables.ts'
import { findSession } from './session-record.sql.ts'

/** The rows of a session and its participant, about. */
export const rowsOfSession = 1_000

/** R94: who they are is held until they give the consent that is asked of them. */
export const holdsIdentity = ({ needsConsent, sealing }: JoinRequest): boolean =>
  needsConsent && sealing !== undefined

export interface SessionStart {
  metadata: Record<string, unknown>
  isHeld: boolean
  startedAt: number
  /** What the participant has stored in former sessions. */
  earlierBytes: number
}

/** Counted in its own row: joins that changed the experiment's row could not share its lock. */
export async function roleFor(
  { db }: Sql,
  { experimentId, role, drawRoleFrom }: JoinRequest,
): Promise<string> {
  if (drawRoleFrom.length === 0) return role
  const { drawn } = await db
    .insertInto('role_draws')
    .values({ experiment_id: experimentId, drawn: 1 })
    .onConflict((conflict) =>
      conflict.column('experiment_id').doUpdateSet((eb) => ({ drawn: eb('role_draws.drawn', '+', 1) })),
    )
    .returning('drawn')
    .executeTakeFirstOrThrow()
  return drawRole(drawRoleFrom, experimentId, drawn - 1) ?? role
}

function identityOf(request: JoinRequest): { issuer: string; subject: string } {
  const { issuer, subject, marks = [] } = request.person
  return holdsIdentity(request) ? { issuer: heldIssuer, subject: marks[0] ?? '' } : { issuer, subject }
}

export async function enter(
  { db }: Sql,
  request: JoinRequest,
  attempt: number,
  hasCapacity: boolean,
): Promise<void> {
  const { experimentId, revision, now, newIds } = request
  const shared = { experiment_id: experimentId, revision }
  await db
    .insertInto('participant_identities')
    .values({
      participant_id: newIds.participantId,
      experiment_id: experimentId,
      ...identityOf(request),
      attempt,
    })
    .execute()
  if (request.soloRoom)
    await db
      .insertInto('rooms')
      .values({
        ...shared,
        room_id: newIds.roomId,
        pod_id: request.podId,
        created_at: now,
        closed_at: null,
        resting_since: now,
      })
      .execute()
  await db
    .insertInto('participants')
    .values({
      ...shared,
      participant_id: newIds.participantId,
      role: request.role,
      room_id: request.soloRoom ? newIds.roomId : null,
      alias: request.soloRoom ? 'P1' : null,
      joined_at: now,
      completed_at: null,
      outcome: null,
      consent_required: request.needsConsent ? 1 : 0,
    })
    .execute()
  if (hasCapacity)
    await db
      .updateTable('experiments')
      .set((eb) => ({ participant_count: eb('participant_count', '+', 1) }))
      .where('experiment_id', '=', experimentId)
      .execute()
}

export async function openSession(
  tx: Sql,
  request: JoinRequest,
  participantId: string,
  { metadata, isHeld, startedAt, earlierBytes }: SessionStart,
): Promise<SessionRecord> {
  const { now, expiresAt, ipAddress, userAgent, newIds, sealing } = request
  const session_id = newIds.sessionId
  const { issuer, subject } = request.person
  const written =
    isHeld && sealing
      ? heldMetadata(sealing, { person: { issuer, subject }, metadata })
      : JSON.stringify(metadata)
  const bytes = rowsOfSession + bytesOf(userAgent, written)
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
      language: request.language,
      software_version: request.softwareVersion,
    })
    .execute()
  await tx.db
    .insertInto('session_origins')
    .values({ session_id, ip_address: ipAddress, user_agent: userAgent, metadata: written })
    .execute()
  const figures = { experiment_id: request.experimentId, kind: 'people' }
  await tx.db
    .insertInto('event_streams')
    .values({
      session_id,
      last_seq: 0,
      sealed: 0,
      ...figures,
      stored_bytes: bytes,
      earlier_bytes: earlierBytes,
    })
    .execute()
  await tx.db
    .insertInto('figure_deltas')
    .values({ experiment_id: request.experimentId, kind: 'bytes', at: 0, count: 0, bytes })
    .execute()
  const session = await findSession(tx, session_id)
  if (!session) throw new Error('a session that was just written cannot be read back')
  return session
}
