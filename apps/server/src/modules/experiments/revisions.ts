import type { RevisionHead, RevisionPage } from '@atrium/contract'
import { AppError } from '../../kernel/app-error.ts'
import type { ExperimentRecord, ExperimentStore } from './experiments.store.ts'

export interface RevisionQuery {
  limit: number
  /** The `next` of the previous page. */
  before: number | null
}

type RevisionStore = Pick<ExperimentStore, 'revisions'>

export async function listRevisions(
  store: RevisionStore,
  { experimentId }: ExperimentRecord,
  { limit, before }: RevisionQuery,
): Promise<RevisionPage> {
  // One more than requested shows whether there is another page.
  const found = await store.revisions({ experimentId, before, limit: limit + 1 })
  const revisions = found.slice(0, limit)
  const last = revisions.at(-1)
  return { revisions, next: last && found.length > limit ? String(last.revision) : null }
}

export async function findRevision(
  store: RevisionStore,
  { experimentId, revision: newest }: ExperimentRecord,
  revision: number,
): Promise<RevisionHead> {
  const [head] =
    revision > newest ? [] : await store.revisions({ experimentId, before: revision + 1, limit: 1 })
  if (head?.revision !== revision)
    throw new AppError('NOT_FOUND', { experimentId, revision }, 'The experiment does not have this revision.')
  return head
}
