import { type RawBuilder, sql } from 'kysely'
import type { Sight } from '../../../modules/experiments/index.ts'
import type { MediaFileStore, SeenMediaFile } from '../../../modules/media/media-files.store.ts'
import { excludesTrials, experimentsIn, isVisible } from '../experiments/visible-experiments.sql.ts'
import { namedIds } from '../row-set.ts'
import type { Sql } from '../tables.ts'
import { asMediaFile } from './media-file-rows.sql.ts'
import { isUsedNow } from './visible-videos.sql.ts'

/** R67: one's own files `f`, and those that any revision of a visible experiment names. */
export function isMediaSeen(sight: Sight): RawBuilder<boolean> {
  if (sight.owners === null) return sql`1 = 1`
  const isInExperiment = sql<boolean>`f.media_id in (
    select media_id from experiment_media where experiment_id in (${experimentsIn(sight, sight.owners)}))`
  return sight.limitedTo ? isInExperiment : sql`(f.owner in (${sql.join(sight.owners)}) or ${isInExperiment})`
}

export async function listVisibleMedia(
  store: Sql,
  {
    sight,
    now,
    kind,
    before,
    limit,
    mediaId,
  }: Parameters<MediaFileStore['visible']>[0] & { mediaId?: string },
): Promise<SeenMediaFile[]> {
  const rows = await store.db
    .selectFrom('media_files as f')
    .selectAll('f')
    .where('f.removed_at', 'is', null)
    .where('f.stored_at', 'is not', null)
    .where(isMediaSeen(sight))
    .$if(mediaId !== undefined, (query) => query.where('f.media_id', '=', mediaId ?? ''))
    .$if(kind !== null, (query) => query.where('f.kind', '=', kind ?? ''))
    .$if(before !== null, (query) =>
      query.where(sql<boolean>`(f.created_at, f.media_id) < (${before?.createdAt}, ${before?.mediaId})`),
    )
    .orderBy('f.created_at', 'desc')
    .orderBy('f.media_id', 'desc')
    .limit(limit)
    .execute()
  const ids = rows.map(({ media_id }) => media_id)
  const uses = Map.groupBy(await mediaUsesNow(store, ids, sight, now), ({ mediaId }) => mediaId)
  return rows.map((row) => ({
    file: asMediaFile(row),
    usedBy: (uses.get(row.media_id) ?? []).map(({ experimentId, name }) => ({ experimentId, name })),
  }))
}

interface Use {
  mediaId: string
  experimentId: string
  name: string
}

/** The experiments that need a file. A try keeps nobody from deleting it. */
export async function mediaUsesNow(
  { engine, db }: Sql,
  mediaIds: readonly string[],
  sight: Sight | null,
  now: number,
): Promise<Use[]> {
  if (mediaIds.length === 0) return []
  const seen = sight === null ? sql`1 = 1` : isVisible(sight)
  const { rows } = await sql<Use>`
    select distinct u.media_id as "mediaId", e.experiment_id as "experimentId", e.name
    from ${namedIds(engine, mediaIds)}
    join experiment_media u on u.media_id = named.id
    join experiments e on e.experiment_id = u.experiment_id
    where ${seen} and ${isUsedNow(now)} and ${excludesTrials('e')}
    order by e.name, e.experiment_id`.execute(db)
  return rows
}
