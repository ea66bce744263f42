import { sql } from 'kysely'
import type { AppendPlan } from '../../../modules/events/append.plan.ts'
import { answersConsent } from '../../../modules/events/consent.plan.ts'
import type { EventBatch } from '../../../modules/events/events.store.ts'
import { overRows } from '../row-set.ts'
import type { Sql } from '../tables.ts'

/**
 * Locked before the streams, in the same order as resuming and completing. Batches without an answer to the consent,
 * which are nearly all, cost nothing.
 */
export function consentLock(engine: Sql['engine']) {
  const select = overRows(
    engine,
    'wanted',
    { session_id: 'text' },
    (wanted) => sql`select p.participant_id from ${wanted}
      join sessions s on s.session_id = wanted.session_id
      join participants p on p.participant_id = s.participant_id
      order by p.participant_id for update of p`,
  )
  return async (db: Sql['db'], batches: EventBatch[]): Promise<void> => {
    if (engine === 'sqlite') return
    const answering = batches.filter(({ events }) => answersConsent(events))
    const ids = [...new Set(answering.map(({ sessionId }) => sessionId))]
    if (ids.length > 0)
      await select(
        db,
        ids.map((session_id) => ({ session_id })),
      )
  }
}

/** If consent is given twice, the first time is kept. */
export function consentWriter(engine: Sql['engine']) {
  const update = overRows(
    engine,
    'decided',
    { session_id: 'text', given: 'integer', at: 'bigint' },
    (decided) => sql`update participants
      set consented_at = case when decided.given = 1 then coalesce(participants.consented_at, decided.at) end
      from ${decided}, sessions s
      where s.session_id = decided.session_id and participants.participant_id = s.participant_id`,
  )
  return async (db: Sql['db'], consents: AppendPlan['consents']): Promise<void> => {
    if (consents.size === 0) return
    const rows = [...consents].map(([session_id, { isGiven, at }]) => ({
      session_id,
      given: isGiven ? 1 : 0,
      at,
    }))
    await update(db, rows)
  }
}
