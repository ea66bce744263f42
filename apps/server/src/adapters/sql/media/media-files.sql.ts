import { sql } from 'kysely'
import type { MediaFileStore } from '../../../modules/media/media-files.store.ts'
import { namedIds } from '../row-set.ts'
import type { Sql } from '../tables.ts'
import { createFiles } from './create-media.sql.ts'
import { asMediaFile, kindIn } from './media-file-rows.sql.ts'
import { resolveNames } from './media-uses.sql.ts'
import { removeFile, renameFile } from './remove-media.sql.ts'
import { isMediaSeen, listVisibleMedia, mediaUsesNow } from './visible-media.sql.ts'

export const createMediaFileStore = (store: Sql): MediaFileStore => ({
  create: (created) => createFiles(store, created),
  async stored(mediaIds, at) {
    const rows = await store.db
      .updateTable('media_files')
      .set({ stored_at: at })
      .where('media_id', 'in', namedIn(store, mediaIds))
      .where('removed_at', 'is', null)
      .returning('media_id')
      .execute()
    return rows.length === mediaIds.length
  },
  async find(mediaId) {
    const row = await store.db
      .selectFrom('media_files')
      .selectAll()
      .where('removed_at', 'is', null)
      .where('media_id', '=', mediaId)
      .executeTakeFirst()
    return row && asMediaFile(row)
  },
  visible: (listing) => listVisibleMedia(store, listing),
  seen: async (look) => (await listVisibleMedia(store, { ...look, kind: null, before: null, limit: 1 }))[0],
  countUses: async (mediaId, now) => (await mediaUsesNow(store, [mediaId], null, now)).length,
  async visibleAmong(mediaIds, sight) {
    if (mediaIds.length === 0) return []
    const rows = await store.db
      .selectFrom('media_files as f')
      .select(['f.media_id', 'f.kind'])
      .where('f.media_id', 'in', namedIn(store, mediaIds))
      .where('f.removed_at', 'is', null)
      .where('f.stored_at', 'is not', null)
      .where(isMediaSeen(sight))
      .execute()
    return rows.map((row) => ({ mediaId: row.media_id, kind: kindIn(row) }))
  },
  resolve: (names, author, experimentId) => resolveNames(store, names, author, experimentId),
  async ofRevision(experimentId, revision) {
    const rows = await store.db
      .selectFrom('experiment_media as u')
      .innerJoin('media_files as f', 'f.media_id', 'u.media_id')
      .selectAll('f')
      .select('u.name as called_by')
      .where('u.experiment_id', '=', experimentId)
      .where('u.revision', '=', revision)
      .where('f.removed_at', 'is', null)
      .orderBy('f.media_id')
      .execute()
    return rows.map((row) => ({ ...asMediaFile(row), calledBy: row.called_by }))
  },
  rename: (renamed) => renameFile(store, renamed),
  remove: (removal) => removeFile(store, removal),
  async discard(mediaIds, now) {
    await store.db
      .updateTable('media_files')
      .set({ removed_at: now })
      .where('media_id', 'in', namedIn(store, mediaIds))
      .where('stored_at', 'is', null)
      .where('removed_at', 'is', null)
      .execute()
  },
  async unfinished(begunBefore, limit) {
    const rows = await store.db
      .selectFrom('media_files')
      .select('media_id')
      .where('stored_at', 'is', null)
      .where('removed_at', 'is', null)
      .where('created_at', '<', begunBefore)
      .orderBy('created_at')
      .limit(limit)
      .execute()
    return rows.map(({ media_id }) => media_id)
  },
  async removed(before, limit) {
    const rows = await store.db
      .selectFrom('media_files')
      .select('media_id')
      .where('removed_at', '<', before)
      .orderBy('removed_at')
      .limit(limit)
      .execute()
    return rows.map(({ media_id }) => media_id)
  },
  async eraseLater(mediaId, at) {
    await store.db
      .updateTable('media_files')
      .set({ removed_at: at })
      .where('media_id', '=', mediaId)
      .where('removed_at', 'is not', null)
      .execute()
  },
  async forget(mediaId) {
    await store.db
      .deleteFrom('media_files')
      .where('media_id', '=', mediaId)
      .where('removed_at', 'is not', null)
      .execute()
  },
})

const namedIn = ({ engine }: Sql, mediaIds: readonly string[]) =>
  sql<string>`(select named.id from ${namedIds(engine, mediaIds)})`
