import type { PrivacyStore } from '../../../modules/privacy/privacy.store.ts'
import { endSessions } from '../sessions/session-end.sql.ts'
import { forUpdate, type Sql } from '../tables.ts'

/**
 * From here on no client of theirs can store anything. Without consent, whoever opens their room lets them go (RM97),
 * which needs no cooperation of the instance that holds it.
 */
export async function endParticipation(
  { engine, db }: Sql,
  { participantId, now, withdraws }: Parameters<PrivacyStore['endParticipation']>[0],
): Promise<string[]> {
  return await db.transaction().execute(async (db) => {
    await db
      .selectFrom('participants')
      .select('participant_id')
      .where('participant_id', '=', participantId)
      .$call(forUpdate(engine))
      .execute()
    await endSessions.supersede({ engine, db }, participantId, now)
    if (withdraws)
      await db
        .updateTable('participants')
        .set({ consent_required: 1, consented_at: null })
        .where('participant_id', '=', participantId)
        .where('completed_at', 'is', null)
        .execute()
    const rows = await db
      .selectFrom('sessions')
      .select('session_id')
      .where('participant_id', '=', participantId)
      .execute()
    return rows.map(({ session_id }) => session_id)
  })
}
