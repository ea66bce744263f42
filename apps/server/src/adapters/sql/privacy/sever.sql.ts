import type { Erasure } from '../../../modules/privacy/privacy.store.ts'
import { writeAudit } from '../operations.sql.ts'
import type { Sql } from '../tables.ts'

/**
 * Without an identity no session of theirs is found any more, so nobody can use one, and they are a new person if they
 * come again. The address that they were sent back to may contain their recruiting id.
 */
export async function sever({ db }: Sql, erasure: Erasure): Promise<void> {
  const { experimentId, participantId, actor, now, requestedBy } = erasure
  await db.transaction().execute(async (db) => {
    const { numDeletedRows } = await db
      .deleteFrom('participant_identities')
      .where('participant_id', '=', participantId)
      .executeTakeFirst()
    if (numDeletedRows === 0n) return
    const theirs = db.selectFrom('sessions').select('session_id').where('participant_id', '=', participantId)
    await db
      .updateTable('session_origins')
      .set({ ip_address: '', user_agent: '', metadata: '{}' })
      .where('session_id', 'in', theirs)
      .execute()
    await db
      .updateTable('sessions')
      .set({ redirect_url: null })
      .where('participant_id', '=', participantId)
      .execute()
    await writeAudit(db, {
      at: now,
      actor,
      action: 'participant_identity_deleted',
      subject: experimentId,
      details: { requestedBy },
    })
  })
}
