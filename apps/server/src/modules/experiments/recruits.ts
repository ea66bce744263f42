import type { RecruitPage } from '@atrium/contract'
import { listCursor } from '../../kernel/list-cursor.ts'
import type { ExperimentRecord, ExperimentStore } from './experiments.store.ts'

export interface RecruitQuery {
  limit: number
  /** The `next` of the previous page. */
  after: string | null
}

export async function listRecruits(
  store: Pick<ExperimentStore, 'recruits'>,
  { experimentId }: ExperimentRecord,
  { limit, after }: RecruitQuery,
): Promise<RecruitPage> {
  const found = await store.recruits({
    experimentId,
    after: after === null ? null : readPlace(after),
    // One more than requested shows whether there is another page.
    limit: limit + 1,
  })
  const participants = found.slice(0, limit)
  const last = participants.at(-1)
  return { participants, next: last && found.length > limit ? writePlace(last) : null }
}

export const { write: writePlace, read: readPlace } = listCursor('joinedAt', 'participantId')
