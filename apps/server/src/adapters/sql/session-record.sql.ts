import type { SessionStatus } from '@atrium/contract'
import type { Completion, SessionRecord } from '../../modules/sessions/sessions.store.ts'
import type { Sql } from './tables.ts'

export async function findSession({ db }: Sql, sessionId: string): Promise<SessionRecord | undefined> {
  const row = await db
    .selectFrom('sessions as s')
    .innerJoin('participants as p', 'p.participant_id', 's.participant_id')
    .innerJoin('participant_identities as i', 'i.participant_id', 's.participant_id')
    .innerJoin('session_origins as o', 'o.session_id', 's.session_id')
    .selectAll('s')
    .select([
      'p.experiment_id',
      'p.revision',
      'p.room_id',
      'i.subject',
      'o.ip_address',
      'o.user_agent',
      'o.metadata',
    ])
    .where('s.session_id', '=', sessionId)
    .executeTakeFirst()
  if (!row) return undefined
  return {
    sessionId: row.session_id,
    participantId: row.participant_id,
    experimentId: row.experiment_id,
    revision: row.revision,
    roomId: row.room_id,
    userId: row.subject,
    createdAt: row.created_at,
    lastActivityAt: row.last_activity_at,
    expiresAt: row.expires_at,
    ipAddress: row.ip_address,
    userAgent: row.user_agent,
    status: row.status as SessionStatus,
    metadata: JSON.parse(row.metadata),
    completion: row.status === 'completed' ? completionOf(row) : null,
  }
}

interface CompletedRow {
  outcome: string | null
  completion_code: string | null
  redirect_url: string | null
  final_state: string | null
  ended_at: number | null
}

export const completionOf = (row: CompletedRow): Completion => ({
  outcome: row.outcome ?? '',
  completionCode: row.completion_code ?? '',
  redirectUrl: row.redirect_url ?? '',
  finalState: row.final_state,
  completedAt: row.ended_at ?? 0,
})
