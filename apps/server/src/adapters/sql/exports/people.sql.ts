import { sql } from 'kysely'
import type { ExportedPerson, ExportSelection, PersonPlace } from '../../../modules/exports/exports.store.ts'
import { declinedIssuer, heldIssuer } from '../../../modules/sessions/held-identity.plan.ts'
import type { Sql } from '../tables.ts'

/** Walks the index of participants; takes the newest session of each, which has the metadata of all its joins. */
export async function listPeople(
  { db }: Sql,
  { experimentId, filters }: ExportSelection,
  after: PersonPlace | null,
  limit: number,
): Promise<ExportedPerson[]> {
  const { joinedFrom, joinedBefore, revision, status } = filters
  return await db
    .selectFrom('participants as p')
    .innerJoin('participant_identities as i', 'i.participant_id', 'p.participant_id')
    .leftJoin('session_origins as o', (join) =>
      join.on('o.session_id', '=', ({ selectFrom }) =>
        selectFrom('sessions as newest')
          .select('newest.session_id')
          .whereRef('newest.participant_id', '=', 'p.participant_id')
          .orderBy('newest.created_at', 'desc')
          .orderBy('newest.session_id', 'desc')
          .limit(1),
      ),
    )
    .select([
      'p.participant_id as participantId',
      'i.issuer',
      'i.subject',
      'i.attempt',
      'p.revision',
      'p.joined_at as joinedAt',
      'p.outcome',
      'p.completed_at as completedAt',
    ])
    .select(({ fn, val }) => fn.coalesce('o.metadata', val('{}')).as('metadata'))
    .where('p.experiment_id', '=', experimentId)
    // R94: nobody is in the file before they have consented, nor after they have declined.
    .where('i.issuer', 'not in', [heldIssuer, declinedIssuer])
    .$if(joinedFrom !== null, (query) => query.where('p.joined_at', '>=', joinedFrom))
    .$if(joinedBefore !== null, (query) => query.where('p.joined_at', '<', joinedBefore))
    .$if(revision !== null, (query) => query.where('p.revision', '=', revision))
    .$if(status !== null, (query) =>
      query.where('p.completed_at', status === 'completed' ? 'is not' : 'is', null),
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
}
