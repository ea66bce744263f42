import { credentialUsesIn, type WrittenDefinition } from '@atrium/contract'
import { type RawBuilder, sql } from 'kysely'
import type { CredentialStore, UsingExperiment } from '../../../modules/agents/credentials.store.ts'
import type { Sight } from '../../../modules/experiments/index.ts'
import { isVisible } from '../experiments/visible-experiments.sql.ts'
import { namedIds } from '../row-set.ts'
import type { Sql } from '../tables.ts'

/** Whether experiment `e` is under way in a revision `u` that names the credential. */
const isRunning = (now: number): RawBuilder<boolean> => sql`(
  (u.revision = e.revision and e.status in ('recruiting', 'paused')) or exists (
    select 1 from participants p join sessions s on s.participant_id = p.participant_id
    where p.experiment_id = u.experiment_id and p.revision = u.revision and p.completed_at is null
      and s.status = 'active' and s.expires_at > ${now}))`

export async function runningWith(
  { db }: Sql,
  credentialId: string,
  sight: Sight | null,
  now: number,
): Promise<UsingExperiment[]> {
  const { rows } = await sql<UsingExperiment>`
    select distinct e.experiment_id as "experimentId", e.name
    from experiment_credentials u join experiments e on e.experiment_id = u.experiment_id
    where u.credential_id = ${credentialId} and ${sight ? isVisible(sight) : sql`1 = 1`} and ${isRunning(now)}
    order by e.name, e.experiment_id`.execute(db)
  return rows
}

export async function selectHidden(
  { engine, db }: Sql,
  { credentialIds, actor, experimentId }: Parameters<CredentialStore['hiddenAmong']>[0],
): Promise<string[]> {
  const isUsable =
    actor === null
      ? sql`1 = 1`
      : sql`(c.owner = ${actor}
          or c.owner in (select created_by from experiment_revisions
            where experiment_id = ${experimentId} and revision = ${sql.lit(1)})
          or c.credential_id in (select u.credential_id from experiment_credentials u
            join experiments e on e.experiment_id = u.experiment_id and e.revision = u.revision
            where e.experiment_id = ${experimentId}))`
  const { rows } = await sql<{ id: string }>`
    select named.id from ${namedIds(engine, credentialIds)} where not exists (
      select 1 from agent_credentials c where c.credential_id = named.id and ${isUsable})`.execute(db)
  return rows.map(({ id }) => id)
}

const idsIn = (definition: WrittenDefinition): string[] => [
  ...new Set(credentialUsesIn(definition).map(({ credentialId }) => credentialId)),
]

/** Those of a definition that no longer exist. The others stay until the transaction ends. */
export async function goneCredentials({ engine, db }: Sql, definition: WrittenDefinition): Promise<string[]> {
  const named = idsIn(definition)
  if (named.length === 0) return []
  const present = await db
    .selectFrom('agent_credentials')
    .select('credential_id')
    .where('credential_id', 'in', sql<string>`(select named.id from ${namedIds(engine, named)})`)
    .orderBy('credential_id')
    .$if(engine === 'postgres', (query) => query.forShare())
    .execute()
  const found = new Set(present.map(({ credential_id }) => credential_id))
  return named.filter((id) => !found.has(id))
}

export async function insertUses(
  { engine, db }: Sql,
  { experimentId, definition }: { experimentId: string; definition: WrittenDefinition },
  revision: number,
): Promise<void> {
  const named = idsIn(definition)
  if (named.length > 0)
    await sql`insert into experiment_credentials (experiment_id, revision, credential_id)
      select ${experimentId}, ${revision}, named.id from ${namedIds(engine, named)}`.execute(db)
}
