import type { Recruit, SessionStatus } from '@atrium/contract'
import { sql } from 'kysely'
import { isSealed } from '../../../kernel/sealed.ts'
import type { RecruitListing } from '../../../modules/experiments/experiments.store.ts'
import type { Sql } from '../tables.ts'

/** Walks the index of participants; takes the newest session of each, which has the metadata of all its joins. */
export async function listRecruits({ db }: Sql, listing: RecruitListing): Promise<Recruit[]> {
  const { experimentId, after, limit } = listing
  const rows = await db
    .selectFrom('participants as p')
    .innerJoin('sessions as s', 's.participant_id', 'p.participant_id')
    .innerJoin('session_origins as o', 'o.session_id', 's.session_id')
    .select([
      'p.participant_id',
      'p.joined_at',
      'p.revision',
      'p.room_id',
      'p.completed_at',
      'p.consented_at',
      'p.outcome',
    ])
    .select(['s.status', 's.completion_code', 'o.metadata'])
    .where('p.experiment_id', '=', experimentId)
    .where('s.session_id', '=', ({ selectFrom }) =>
      selectFrom('sessions as newest')
        .select('newest.session_id')
        .whereRef('newest.participant_id', '=', 'p.participant_id')
        .orderBy('newest.created_at', 'desc')
        .orderBy('newest.session_id', 'desc')
        .limit(1),
    )
    .$if(after !== null, (query) =>
      query.where(
        sql<boolean>`(p.joined_at, p.participant_id) > (${after?.joinedAt}, ${after?.participantId})`,
      ),
    )
    .orderBy('p.joined_at')
    .orderBy('p.participant_id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    participantId: row.participant_id,
    metadata: withoutHeld(JSON.parse(row.metadata)),
    joinedAt: row.joined_at,
    consentedAt: row.consented_at,
    revision: row.revision,
    roomId: row.room_id,
    status: statusOf(row),
    outcome: row.outcome,
    completionCode: row.completion_code,
    completedAt: row.completed_at,
  }))
}

/** R94: what came with somebody who has not consented yet is sealed, and of no use here. */
function withoutHeld({ held, ...metadata }: Record<string, unknown>): Record<string, unknown> {
  return isSealed(held) ? {} : { ...metadata, ...(held !== undefined && { held }) }
}

/** X47: somebody whose end the room has decided is done, whether they have asked for their code or not. */
export const statusOf = ({ status, outcome }: { status: string; outcome: string | null }): SessionStatus =>
  status === 'active' && outcome !== null ? 'completed' : (status as SessionStatus)
