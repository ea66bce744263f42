import { type AppendPlan, type KnownStreams, planAppends } from '../../../modules/events/append.plan.ts'
import type { AppendOutcome, EventBatch, EventStore } from '../../../modules/events/events.store.ts'
import { inserterOf } from '../row-set.ts'
import { revealIdentity } from '../sessions/held-identities.sql.ts'
import { changePlaces } from '../sessions/places.sql.ts'
import type { Sql } from '../tables.ts'
import { consentLock, consentsKnown, consentWriter } from './consent.sql.ts'
import { batchesKnown, eventsKnown, streamsLock } from './event-lookups.sql.ts'
import { createEventWriter } from './event-rows.sql.ts'

export function createEventStore(store: Sql): EventStore {
  const { engine, db } = store
  const lockConsents = consentLock(engine)
  const lockStreams = streamsLock(engine)
  const knownBatches = batchesKnown(engine)
  const knownEvents = eventsKnown(engine)
  const knownConsents = consentsKnown(engine)
  const writeEvents = createEventWriter(engine, 'client')
  const writeKeys = inserterOf(engine, 'event_batches', keyColumns)
  const writeConsents = consentWriter(engine)

  /** One transaction for the whole group: lock the streams, look up what is known, plan, write. */
  const append = async (batches: EventBatch[]): Promise<AppendOutcome[]> =>
    await db.transaction().execute(async (tx) => {
      await lockConsents(tx, batches)
      const { streams, figures } = await lockStreams(tx, batches)
      const known: KnownStreams = {
        streams,
        batches: await knownBatches(tx, batches),
        events: await knownEvents(tx, batches),
        consents: await knownConsents(tx, batches),
      }
      const asked = planAppends(batches, known)
      const withoutPlace = await changePlaces({ engine, db: tx }, asked.places)
      const plan = withoutPlace.size === 0 ? asked : planAppends(batches, known, withoutPlace)
      await writeEvents(tx, plan, figures)
      if (plan.newKeys.length > 0) await writeKeys(tx, plan.newKeys.map(asKeyRow))
      await writeConsents(tx, plan.consents)
      for (const { sessionId, sealing } of batches) {
        const participantId = known.consents.get(sessionId)?.participantId
        if (participantId && sealing && plan.consents.get(sessionId)?.isGiven)
          await revealIdentity({ engine, db: tx }, participantId, sealing)
      }
      return plan.outcomes
    })

  return { append }
}

const keyColumns = {
  stream_no: 'integer',
  idempotency_key: 'text',
  body_hash: 'text',
  recorded: 'integer',
  received_at: 'bigint',
} as const

const asKeyRow = (key: AppendPlan['newKeys'][number]) => ({
  stream_no: key.streamNo,
  idempotency_key: key.idempotencyKey,
  body_hash: key.bodyHash,
  recorded: key.recorded,
  received_at: key.receivedAt,
})
