import { type ExperimentStatus, mayExperimentBecome } from '@atrium/contract'
import { personIn } from '../../../kernel/signature.ts'
import type { Published, PublishedDraft } from '../../../modules/experiments/experiments.store.ts'
import { forUpdate, type Sql } from '../tables.ts'
import { asRecord, lockExperiment, setStatus } from './experiment-rows.sql.ts'
import { addRevision } from './new-revision.sql.ts'

/** X67: the revision, the end of the draft and the new status, or nothing of it. */
export async function publishDraft({ engine, db }: Sql, published: PublishedDraft): Promise<Published> {
  return await db.transaction().execute(async (tx): Promise<Published> => {
    const { experimentId, version, definition, actor, now, start } = published
    const store = { engine, db: tx }
    const row = await lockExperiment(store, experimentId)
    if (!row) return { kind: 'not_found' }
    const draft = await lockDraft(store, experimentId)
    if (draft?.version !== version || draft.definition === null || definition === null)
      return (await isPublishedAlready(tx, draft, published))
        ? { kind: 'repeated', record: asRecord(row) }
        : { kind: 'draft_conflict' }
    if (start && !mayExperimentBecome(row.status as ExperimentStatus, 'recruiting'))
      return { kind: 'archived' }
    const revised = await addRevision(store, row, { ...published, definition })
    if (revised.kind !== 'revised') return revised
    const { revision } = revised.record
    await tx
      .updateTable('definition_drafts')
      .set({
        version: version + 1,
        definition: null,
        based_on: revision,
        saved_by: personIn(actor),
        saved_at: now,
      })
      .where('experiment_id', '=', experimentId)
      .execute()
    if (!start) return revised
    const started = await setStatus(tx, row, { to: 'recruiting', actor, now })
    return { kind: 'revised', record: { ...revised.record, status: started.status as ExperimentStatus } }
  })
}

const lockDraft = async ({ engine, db }: Sql, experimentId: string) =>
  await db
    .selectFrom('definition_drafts')
    .selectAll()
    .where('experiment_id', '=', experimentId)
    .$call(forUpdate(engine))
    .executeTakeFirst()

/**
 * Whether a lost response is why we are asked again: the draft ended with the very revision that this request makes, at
 * the same moment and by the same person.
 */
async function isPublishedAlready(
  tx: Sql['db'],
  draft: Awaited<ReturnType<typeof lockDraft>>,
  { experimentId, version, basedOn, actor }: PublishedDraft,
): Promise<boolean> {
  const person = personIn(actor)
  if (draft?.version !== version + 1 || draft.definition !== null || draft.saved_by !== person) return false
  const made = await tx
    .selectFrom('experiment_revisions')
    .select('revision')
    .where('experiment_id', '=', experimentId)
    .where('revision', '=', basedOn + 1)
    .where('created_by', '=', person)
    .where('created_at', '=', draft.saved_at)
    .executeTakeFirst()
  return made !== undefined
}
