import { sql } from 'kysely'
import type { ForgetPosition, ForgetRequest } from '../../../modules/sessions/sessions.store.ts'
import type { Sql } from '../tables.ts'

const sessionsPerStep = 500

/** Walks the index of sessions by expiry. Null once there are no further ones. */
export async function forgetOrigins(
  { db }: Sql,
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
  await db
    .updateTable('session_origins')
    .set({ ip_address: '', user_agent: '' })
    .where(
      'session_id',
      'in',
      due.map(({ sessionId }) => sessionId),
    )
    .where(({ or, eb }) => or([eb('ip_address', '<>', ''), eb('user_agent', '<>', '')]))
    .execute()
  return last
}
