import type { Erasure } from '../../../modules/privacy/privacy.store.ts'
import { lockOfSessions, lockParticipants } from '../locks.sql.ts'
import { writeAudit } from '../operations.sql.ts'
import type { Sql } from '../tables.ts'
import { isIdentityDue } from './identities-due.sql.ts'

/**
 * Without an identity no session of theirs is found any more, so nobody can use one, and they are a new person if they
 * come again. The address that they were sent back to may contain their recruiting id.
 */
export async function sever({ engine, db }: Sql, erasure: Erasure): Promise<boolean> {
  const { experimentId, participantId, actor, now, requestedBy } = erasure
  return await db.transaction().execute(async (db) => {
    await lockParticipants({ engine, db }, [participantId])
    // Since they were found to be due, they may have come back.
    if (requestedBy === 'identityDays' && !(await isIdentityDue({ engine, db }, participantId, now)))
      return false
    const { numDeletedRows } = await db
      .deleteFrom('participant_identities')
      .where('participant_id', '=', participantId)
      .executeTakeFirst()
    if (numDeletedRows === 0n) return false
    const sessions = await db
      .selectFrom('sessions')
      .select('session_id')
      .where('participant_id', '=', participantId)
      .execute()
    const ids = sessions.map(({ session_id }) => session_id)
    for (const table of ['sessions', 'session_origins'] as const)
      await lockOfSessions({ engine, db }, table, ids)
    await db
      .updateTable('sessions')
      .set({ redirect_url: null })
      .where('participant_id', '=', participantId)
      .execute()
    await db
      .updateTable('session_origins')
      .set({ ip_address: '', user_agent: '', metadata: '{}' })
      .where('session_id', 'in', ids)
      .execute()
    await writeAudit(db, {
      at: now,
      actor,
      action: 'participant_identity_deleted',
      subject: experimentId,
      details: { requestedBy },
    })
    return true
  })
}
