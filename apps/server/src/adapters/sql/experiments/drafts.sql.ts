import type { DraftChange, DraftStore } from '../../../modules/experiments/drafts.store.ts'
import type { Sql } from '../tables.ts'

export const createDraftStore = (store: Sql): DraftStore => ({
  async find(experimentId) {
    return await store.db
      .selectFrom('definition_drafts')
      .select(['version', 'definition', 'based_on as basedOn', 'saved_by as savedBy', 'saved_at as savedAt'])
      .where('experiment_id', '=', experimentId)
      .executeTakeFirst()
  },
  change: (change) => changeDraft(store, change),
})

/** The first draft of an experiment that begins with it, in the transaction that makes the experiment. */
export async function insertDraft(
  tx: Sql['db'],
  { experimentId, definition, savedBy, now }: Omit<DraftChange, 'version' | 'basedOn'>,
): Promise<void> {
  await tx
    .insertInto('definition_drafts')
    .values({
      experiment_id: experimentId,
      version: 1,
      definition,
      based_on: 1,
      saved_by: savedBy,
      saved_at: now,
    })
    .execute()
}

/** One statement each, so that of two editors who start from the same version one is refused. */
async function changeDraft({ db }: Sql, change: DraftChange): Promise<'changed' | 'conflict'> {
  const { experimentId, version, definition, basedOn, savedBy, now } = change
  const row = {
    version: version + 1,
    definition,
    based_on: basedOn,
    saved_by: savedBy,
    saved_at: now,
  }
  const changed =
    version === 0
      ? await db
          .insertInto('definition_drafts')
          .values({ experiment_id: experimentId, ...row })
          .onConflict((conflict) => conflict.doNothing())
          .returning('version')
          .executeTakeFirst()
      : await db
          .updateTable('definition_drafts')
          .set(row)
          .where('experiment_id', '=', experimentId)
          .where('version', '=', version)
          .returning('version')
          .executeTakeFirst()
  return changed ? 'changed' : 'conflict'
}
