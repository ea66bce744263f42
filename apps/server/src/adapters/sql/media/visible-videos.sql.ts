import { type RawBuilder, sql } from 'kysely'
import type { Sight } from '../../../modules/experiments/index.ts'
import type { MediaStore, SeenVideo } from '../../../modules/media/media.store.ts'
import { experimentsIn, isVisible } from '../experiments/visible-experiments.sql.ts'
import { namedIds } from '../row-set.ts'
import type { Sql } from '../tables.ts'
import { asVideo } from './video-rows.sql.ts'

/** R31: one's own, and those that any revision of a visible experiment names. */
function isSeen(sight: Sight): RawBuilder<boolean> {
  if (sight.owners === null) return sql`1 = 1`
  const isInExperiment = sql<boolean>`v.video_id in (
    select video_id from experiment_videos where experiment_id in (${experimentsIn(sight, sight.owners)}))`
  return sight.limitedTo ? isInExperiment : sql`(v.owner in (${sql.join(sight.owners)}) or ${isInExperiment})`
}

export async function listVisible(
  store: Sql,
  { sight, now, before, limit, videoId }: Parameters<MediaStore['visible']>[0] & { videoId?: string },
): Promise<SeenVideo[]> {
  const rows = await store.db
    .selectFrom('videos as v')
    .selectAll('v')
    .where('v.removed_at', 'is', null)
    .where(isSeen(sight))
    .$if(videoId !== undefined, (query) => query.where('v.video_id', '=', videoId ?? ''))
    .$if(before !== null, (query) =>
      query.where(sql<boolean>`(v.created_at, v.video_id) < (${before?.createdAt}, ${before?.videoId})`),
    )
    .orderBy('v.created_at', 'desc')
    .orderBy('v.video_id', 'desc')
    .limit(limit)
    .execute()
  const ids = rows.map(({ video_id }) => video_id)
  const uses = Map.groupBy(await usesNow(store, ids, sight, now), (use) => use.videoId)
  return rows.map((row) => ({
    video: asVideo(row),
    usedBy: (uses.get(row.video_id) ?? []).map(({ experimentId, name }) => ({ experimentId, name })),
  }))
}

interface Use {
  videoId: string
  experimentId: string
  name: string
}

/** Whether experiment `e` needs the video of `u`: its current revision names it, or an older one in which people still are. */
export const isUsedNow = (now: number): RawBuilder<boolean> => sql`(u.revision = e.revision or exists (
  select 1 from participants p join sessions s on s.participant_id = p.participant_id
  where p.experiment_id = u.experiment_id and p.revision = u.revision and p.completed_at is null
    and s.status = 'active' and s.expires_at > ${now}))`

/** The experiments that need a video. */
export async function usesNow(
  { engine, db }: Sql,
  videoIds: readonly string[],
  sight: Sight | null,
  now: number,
): Promise<Use[]> {
  if (videoIds.length === 0) return []
  const seen = sight === null ? sql`1 = 1` : isVisible(sight)
  const { rows } = await sql<Use>`
    select distinct u.video_id as "videoId", e.experiment_id as "experimentId", e.name
    from ${namedIds(engine, videoIds)}
    join experiment_videos u on u.video_id = named.id
    join experiments e on e.experiment_id = u.experiment_id
    where ${seen} and ${isUsedNow(now)}
    order by e.name, e.experiment_id`.execute(db)
  return rows
}

export async function selectHidden(
  { engine, db }: Sql,
  videoIds: readonly string[],
  sight: Sight,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select named.id from ${namedIds(engine, videoIds)} where not exists (
      select 1 from videos v where v.video_id = named.id and v.removed_at is null and ${isSeen(sight)})`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}
