import { sql } from 'kysely'
import type { MediaStore } from '../../../modules/media/media.store.ts'
import { changeVideo } from '../../../modules/media/video.plan.ts'
import { writeAudit } from '../operations.sql.ts'
import { namedIds } from '../row-set.ts'
import { forUpdate, type Sql } from '../tables.ts'
import { asVideo, rowOf } from './video-rows.sql.ts'
import { isUsedNow, listVisible, selectHidden, usesNow } from './visible-videos.sql.ts'

export const createMediaStore = (store: Sql): MediaStore => ({
  async create(video) {
    await store.db
      .insertInto('videos')
      .values({ ...rowOf(video), submit_after: 0, removed_at: null })
      .execute()
  },
  async find(videoId) {
    const row = await existing(store).where('video_id', '=', videoId).executeTakeFirst()
    return row && asVideo(row)
  },
  async findMany(videoIds) {
    const rows = await existing(store).where('video_id', 'in', namedIn(store, videoIds)).execute()
    return rows.map(asVideo)
  },
  change: (videoId, change) => applyChange(store, videoId, change),
  visible: (listing) => listVisible(store, listing),
  seen: async (look) => (await listVisible(store, { ...look, before: null, limit: 1 }))[0],
  countUses: async (videoId, now) => (await usesNow(store, [videoId], null, now)).length,
  hiddenAmong: (videoIds, sight) => selectHidden(store, videoIds, sight),
  remove: (removal) => remove(store, removal),
  discard: (videoId, now) => discard(store, videoId, now),
  async removed(before, limit) {
    const rows = await store.db
      .selectFrom('videos')
      .selectAll()
      .where('removed_at', '<', before)
      .orderBy('removed_at')
      .limit(limit)
      .execute()
    return rows.map(asVideo)
  },
  async eraseLater(videoId, at) {
    await store.db
      .updateTable('videos')
      .set({ removed_at: at })
      .where('video_id', '=', videoId)
      .where('removed_at', 'is not', null)
      .execute()
  },
  async forget(videoId) {
    await store.db
      .deleteFrom('videos')
      .where('video_id', '=', videoId)
      .where('removed_at', 'is not', null)
      .execute()
  },
  async countOpenUploads(owner) {
    const { count } = await store.db
      .selectFrom('videos')
      .select(sql<number | string>`count(*)`.as('count'))
      .where('owner', '=', owner)
      .where('stored_at', 'is', null)
      .where('removed_at', 'is', null)
      .executeTakeFirstOrThrow()
    return Number(count)
  },
  async unfinished({ begunBefore, now, limit }) {
    const rows = await existing(store)
      .where('stored_at', 'is', null)
      .where('created_at', '<', begunBefore)
      .where(sql<boolean>`not exists (select 1 from experiment_videos u
        join experiments e on e.experiment_id = u.experiment_id
        where u.video_id = videos.video_id and ${isUsedNow(now)})`)
      .orderBy('created_at')
      .limit(limit)
      .execute()
    return rows.map(asVideo)
  },
  claimPending: (claim) => claimPending(store, claim),
  async postpone(videoIds, until) {
    await store.db
      .updateTable('videos')
      .set({ submit_after: until })
      .where('video_id', 'in', namedIn(store, videoIds))
      .execute()
  },
  async inTranscoding(limit) {
    const rows = await existing(store)
      .where('hls_status', '=', 'processing')
      .orderBy('video_id')
      .limit(limit)
      .execute()
    return rows.flatMap(({ video_id: videoId, job_id: jobId }) =>
      jobId === null ? [] : [{ videoId, jobId }],
    )
  },
})

const existing = ({ db }: Sql) => db.selectFrom('videos').selectAll().where('removed_at', 'is', null)

const namedIn = ({ engine }: Sql, videoIds: readonly string[]) =>
  sql<string>`(select named.id from ${namedIds(engine, videoIds)})`

const applyChange: Bound<MediaStore['change']> = async ({ engine, db }, videoId, change) =>
  await db.transaction().execute(async (tx) => {
    const row = await lockVideo({ engine, db: tx }, videoId)
    if (!row) return undefined
    const before = asVideo(row)
    const video = changeVideo(before, change)
    if (video === before) return { video, isChanged: false }
    // A new attempt is due at once.
    const due = video.attempt === before.attempt ? {} : { submit_after: 0 }
    await tx
      .updateTable('videos')
      .set({ ...rowOf(video), ...due })
      .where('video_id', '=', videoId)
      .execute()
    return { video, isChanged: true }
  })

const remove: Bound<MediaStore['remove']> = async ({ engine, db }, { videoId, actor, now }) =>
  await db.transaction().execute(async (tx) => {
    const row = await lockVideo({ engine, db: tx }, videoId)
    if (!row) return 'not_found'
    if (!(await withdraw({ engine, db: tx }, videoId, now))) return 'in_use'
    const details = { filename: row.filename, size: row.size }
    await writeAudit(tx, { at: now, actor, action: 'video_removed', subject: videoId, details })
    return 'removed'
  })

const discard: Bound<MediaStore['discard']> = async ({ engine, db }, videoId, now) =>
  await db.transaction().execute(async (tx) => {
    const row = await lockVideo({ engine, db: tx }, videoId)
    if (!row || row.stored_at !== null) return 'not_open'
    return (await withdraw({ engine, db: tx }, videoId, now)) ? 'discarded' : 'in_use'
  })

/** V12: an experiment that is being saved with this video holds its row, too (see insertRevision). */
const lockVideo = (store: Sql, videoId: string) =>
  existing(store).where('video_id', '=', videoId).$call(forUpdate(store.engine)).executeTakeFirst()

/** Marks a locked video as removed, and says whether it did: not while an experiment needs it. */
async function withdraw(store: Sql, videoId: string, now: number): Promise<boolean> {
  const [use] = await usesNow(store, [videoId], null, now)
  if (use) return false
  await store.db.deleteFrom('experiment_videos').where('video_id', '=', videoId).execute()
  await store.db.updateTable('videos').set({ removed_at: now }).where('video_id', '=', videoId).execute()
  return true
}

const claimPending: Bound<MediaStore['claimPending']> = async ({ engine, db }, { now, until, limit }) =>
  await db.transaction().execute(async (tx) => {
    const rows = await existing({ engine, db: tx })
      .where('hls_status', '=', 'pending')
      .where('stored_at', 'is not', null)
      .where('submit_after', '<=', now)
      .orderBy('submit_after')
      .orderBy('video_id')
      .limit(limit)
      .$call(forUpdate(engine))
      .execute()
    const ids = rows.map(({ video_id }) => video_id)
    if (ids.length > 0)
      await tx.updateTable('videos').set({ submit_after: until }).where('video_id', 'in', ids).execute()
    return rows.map(asVideo)
  })

type Bound<Method extends (...args: never[]) => unknown> = (
  store: Sql,
  ...args: Parameters<Method>
) => ReturnType<Method>
