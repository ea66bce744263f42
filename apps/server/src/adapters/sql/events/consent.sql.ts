import { sql } from 'kysely'
import type { AppendPlan, ConsentState, KnownStreams } from '../../../modules/events/append.plan.ts'
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

interface ConsentRow {
  session_id: string
  participant_id: string
  experiment_id: string
  consented_at: number | null
  holds_place: number
  outcome: string | null
  completed_at: number | null
}

/**
 * Read after the streams are locked, in a statement of its own: PostgreSQL would answer a joined read from before the
 * wait for the lock. Only where consent is required.
 */
export function consentsKnown(engine: Sql['engine']) {
  const select = overRows(
    engine,
    'wanted',
    { session_id: 'text' },
    (wanted) => sql<ConsentRow>`
      select wanted.session_id, p.participant_id, p.experiment_id, p.consented_at, p.holds_place, p.outcome, p.completed_at
      from ${wanted}
      join sessions s on s.session_id = wanted.session_id
      join participants p on p.participant_id = s.participant_id
      where p.consent_required = 1`,
  )
  return async (db: Sql['db'], batches: EventBatch[]): Promise<KnownStreams['consents']> => {
    const asking = batches.filter(({ needsConsent }) => needsConsent)
    if (asking.length === 0) return new Map()
    const ids = [...new Set(asking.map(({ sessionId }) => sessionId))]
    const rows = await select(
      db,
      ids.map((session_id) => ({ session_id })),
    )
    return new Map(rows.map((row) => [row.session_id, consentStateOf(row)]))
  }
}

const consentStateOf = (row: ConsentRow): ConsentState => ({
  participantId: row.participant_id,
  experimentId: row.experiment_id,
  isGiven: row.consented_at !== null,
  holdsPlace: row.holds_place === 1,
  isDecided: row.outcome !== null || row.completed_at !== null,
})

/** If consent is given twice, the first time is kept. */
export function consentWriter(engine: Sql['engine']) {
  const update = overRows(
    engine,
    'decided',
    { session_id: 'text', given: 'integer', at: 'bigint' },
    (decided) => sql`update participants
      set consented_at = case when decided.given = 1 then coalesce(participants.consented_at, decided.at) end,
        dropped_at = case when decided.given = 0 then coalesce(participants.dropped_at, decided.at)
          when participants.drop_reason in ('declined', 'withdrawn') then null else participants.dropped_at end,
        drop_reason = case when decided.given = 0 then coalesce(participants.drop_reason,
            case when participants.consented_at is null then 'declined' else 'withdrawn' end)
          when participants.drop_reason in ('declined', 'withdrawn') then null else participants.drop_reason end
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
