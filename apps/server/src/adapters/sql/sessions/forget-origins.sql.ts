import { sql } from 'kysely'
import type { ForgetPosition, ForgetRequest } from '../../../modules/sessions/sessions.store.ts'
import { lockOfSessions } from '../locks.sql.ts'
import type { Sql } from '../tables.ts'

const sessionsPerStep = 500

/** Walks the index of sessions by expiry. Null once there are no further ones. */
export async function forgetOrigins(
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
