import type { SessionStatus } from '@atrium/contract'
import { sql } from 'kysely'
import { isSealed } from '../../../kernel/sealed.ts'
import { declinedIssuer, heldIssuer } from '../../../modules/sessions/held-identity.plan.ts'
import type { Completion, SessionRecord } from '../../../modules/sessions/sessions.store.ts'
import { rowSet } from '../row-set.ts'
import type { Sql, Tables } from '../tables.ts'

export async function findSession(store: Sql, sessionId: string): Promise<SessionRecord | undefined> {
  const [found] = await findSessions(store, [sessionId])
  return found
}

/** Sessions that do not exist are left out. */
export async function findSessions({ engine, db }: Sql, sessionIds: string[]): Promise<SessionRecord[]> {
  const ids = sessionIds.map((session_id) => ({ session_id }))
  const wanted = rowSet(engine, 'wanted', { session_id: 'text' }, ids)
  const { rows } = await sql<SessionRow>`
    select s.*, p.experiment_id, p.revision, p.role, p.room_id, p.stage, p.joined_at, p.holds_place, p.consent_required, p.consented_at, i.subject, i.issuer, o.ip_address, o.user_agent, o.metadata
    from ${wanted}
    join sessions s on s.session_id = wanted.session_id
    join participants p on p.participant_id = s.participant_id
    join participant_identities i on i.participant_id = s.participant_id
    join session_origins o on o.session_id = s.session_id`.execute(db)
  return rows.map(asRecord)
}

type SessionRow = Tables['sessions'] &
  Pick<
    Tables['participants'],
    'experiment_id' | 'revision' | 'role' | 'room_id' | 'joined_at' | 'consented_at'
  > & {
    stage: string | null
    holds_place: number
    consent_required: number
  } & Pick<Tables['participant_identities'], 'subject' | 'issuer'> &
  Tables['session_origins']

const asRecord = (row: SessionRow): SessionRecord => ({
  sessionId: row.session_id,
  participantId: row.participant_id,
  experimentId: row.experiment_id,
  revision: row.revision,
  role: row.role,
  roomId: row.room_id,
  stage: row.stage,
  userId: row.subject,
  isHeld: row.issuer === heldIssuer || row.issuer === declinedIssuer,
  joinedAt: row.joined_at,
  createdAt: row.created_at,
  lastActivityAt: row.last_activity_at,
  expiresAt: row.expires_at,
  ipAddress: row.ip_address,
  userAgent: row.user_agent,
  status: row.status as SessionStatus,
  metadata: JSON.parse(row.metadata),
  holdsPlace: row.holds_place === 1,
  needsConsent: row.consent_required === 1,
  consentedAt: row.consented_at,
  completion: row.status === 'completed' ? completionOf(row) : null,
})

interface CompletedRow {
  outcome: string | null
  completion_code: string | null
  redirect_url: string | null
  final_state: string | null
  ended_at: number | null
  wait_ended: string | null
}

export const completionOf = (row: CompletedRow): Completion => ({
  outcome: row.outcome ?? '',
  completionCode: row.completion_code ?? '',
  redirectUrl: row.redirect_url ?? '',
  ...(isSealed(row.redirect_url) && { redirectUrl: '', sealedRedirect: row.redirect_url }),
  finalState: row.final_state,
  completedAt: row.ended_at ?? 0,
  ...(row.wait_ended !== null && { waitEnded: row.wait_ended }),
})
