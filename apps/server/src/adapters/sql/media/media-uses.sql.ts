import { sql } from 'kysely'
import { personIn } from '../../../kernel/signature.ts'
import type { NewDefinition } from '../../../modules/experiments/experiments.store.ts'
import type { MediaFileStore, NamedMedia } from '../../../modules/media/media-files.store.ts'
import { namedIds, rowSet } from '../row-set.ts'
import type { Sql } from '../tables.ts'
import { kindIn } from './media-file-rows.sql.ts'

/** V28: what the experiment has under a name already, or else the author's own file. */
export async function resolveNames(
  { engine, db }: Sql,
  ...[names, author, experimentId]: Parameters<MediaFileStore['resolve']>
): Promise<NamedMedia[]> {
  if (names.length === 0) return []
  const { rows } = await sql<{ media_id: string; name: string; kind: string; since: number }>`
    select f.media_id, u.name, f.kind, u.revision as since
    from ${namedIds(engine, names)}
    join experiment_media u on u.name = named.id and u.experiment_id = ${experimentId ?? ''}
    join media_files f on f.media_id = u.media_id and f.removed_at is null and f.stored_at is not null
    union all
    select f.media_id, f.name, f.kind, 0 as since
    from ${namedIds(engine, names)}
    join media_files f on f.name = named.id and f.owner = ${author} and f.removed_at is null and f.stored_at is not null
    order by since`.execute(db)
  // The latest revision decides.
  const meant = new Map(rows.map((row) => [row.name, row]))
  return [...meant.values()].map((row) => ({ mediaId: row.media_id, name: row.name, kind: kindIn(row) }))
}

/** Whether a file that the definition names has been deleted since it was checked. If not, it stays until we commit. */
export async function isMediaGone(store: Sql, created: NewDefinition): Promise<boolean> {
  const { engine, db } = store
  const { ids, names } = created.media
  if (ids.length + names.length === 0) return false
  const meant = await resolveNames(store, names, personIn(created.actor), namesOf(created))
  const wanted = [...new Set([...ids, ...meant.map(({ mediaId }) => mediaId)])]
  const present = await db
    .selectFrom('media_files')
    .select('media_id')
    .where('media_id', 'in', sql<string>`(select named.id from ${namedIds(engine, wanted)})`)
    .where('removed_at', 'is', null)
    .where('stored_at', 'is not', null)
    .orderBy('media_id')
    .$if(engine === 'postgres', (query) => query.forShare())
    .execute()
  return present.length < wanted.length || meant.length < names.length
}

export async function insertMediaUses(store: Sql, created: NewDefinition, revision: number): Promise<void> {
  const { ids, names } = created.media
  if (ids.length + names.length === 0) return
  const meant = await resolveNames(store, names, personIn(created.actor), namesOf(created))
  const uses = [...ids.map((mediaId) => ({ mediaId, name: '' })), ...meant]
  const rows = uses.map(({ mediaId, name }) => ({ media_id: mediaId, name }))
  const named = rowSet(store.engine, 'used', { media_id: 'text', name: 'text' }, rows)
  await sql`insert into experiment_media (experiment_id, revision, media_id, name)
    select ${created.experimentId}, ${revision}, used.media_id, used.name from ${named}`.execute(store.db)
}

const namesOf = ({ experimentId, triedFrom }: NewDefinition): string => triedFrom ?? experimentId
