import { sql } from 'kysely'
import type {
  CredentialStore,
  SeenCredential,
  UsingExperiment,
} from '../../../modules/agents/credentials.store.ts'
import type { Sight } from '../../../modules/experiments/index.ts'
import { isVisible } from '../experiments/visible-experiments.sql.ts'
import { namedIds } from '../row-set.ts'
import type { Sql } from '../tables.ts'
import { asCredential } from './credential-rows.sql.ts'

type Listing = Parameters<CredentialStore['visible']>[0] & { credentialId?: string }

export async function listVisible(
  store: Sql,
  { sight, before, limit, credentialId }: Listing,
): Promise<SeenCredential[]> {
  const rows = await store.db
    .selectFrom('agent_credentials as c')
    .selectAll('c')
    .$if(sight.owner !== null, (query) => query.where('c.owner', '=', sight.owner ?? ''))
    .$if(credentialId !== undefined, (query) => query.where('c.credential_id', '=', credentialId ?? ''))
    .$if(before !== null, (query) =>
      query.where(
        sql<boolean>`(c.created_at, c.credential_id) < (${before?.createdAt}, ${before?.credentialId})`,
      ),
    )
    .orderBy('c.created_at', 'desc')
    .orderBy('c.credential_id', 'desc')
    .limit(limit)
    .execute()
  const ids = rows.map(({ credential_id }) => credential_id)
  const uses = Map.groupBy(await currentUses(store, ids, sight.experiments), (use) => use.credentialId)
  return rows.map((row) => ({
    credential: asCredential(row),
    usedBy: (uses.get(row.credential_id) ?? []).map(({ experimentId, name }) => ({ experimentId, name })),
  }))
}

/** The experiments within sight whose newest revision names the credentials. */
async function currentUses(
  { engine, db }: Sql,
  credentialIds: readonly string[],
  sight: Sight,
): Promise<(UsingExperiment & { credentialId: string })[]> {
  if (credentialIds.length === 0) return []
  const { rows } = await sql<UsingExperiment & { credentialId: string }>`
    select u.credential_id as "credentialId", e.experiment_id as "experimentId", e.name
    from ${namedIds(engine, credentialIds)}
    join experiment_credentials u on u.credential_id = named.id
    join experiments e on e.experiment_id = u.experiment_id and e.revision = u.revision
    where ${isVisible(sight)}
    order by e.name, e.experiment_id`.execute(db)
  return rows
}
