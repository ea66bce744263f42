import type { RevisionHead } from '@atrium/contract'
import type { ExperimentStore } from '../../../modules/experiments/experiments.store.ts'
import type { Sql } from '../tables.ts'

/** By the key, from the newest on; definitions, which may be long, are not read. */
export async function listRevisions(
  { db }: Sql,
  { experimentId, before, limit }: Parameters<ExperimentStore['revisions']>[0],
): Promise<RevisionHead[]> {
  return await db
    .selectFrom('experiment_revisions')
    .select(['revision', 'name', 'created_at as createdAt', 'created_by as createdBy'])
    .where('experiment_id', '=', experimentId)
    .$if(before !== null, (query) => query.where('revision', '<', before ?? 0))
    .orderBy('revision', 'desc')
    .limit(limit)
    .execute()
}
