import type { MediaFileStore } from '../../../modules/media/media-files.store.ts'
import { writeAudit } from '../operations.sql.ts'
import { forUpdate, type Sql } from '../tables.ts'
import { mediaUsesNow } from './visible-media.sql.ts'

/** V26: an experiment that is being saved with this file holds its row, too (see `isMediaGone`). */
const lockFile = ({ engine, db }: Sql, mediaId: string) =>
  db
    .selectFrom('media_files')
    .selectAll()
    .where('media_id', '=', mediaId)
    .where('removed_at', 'is', null)
    .$call(forUpdate(engine))
    .executeTakeFirst()

export const removeFile: Bound<MediaFileStore['remove']> = async ({ engine, db }, { mediaId, actor, now }) =>
  await db.transaction().execute(async (db) => {
    const tx: Sql = { engine, db }
    const row = await lockFile(tx, mediaId)
    if (!row) return 'not_found'
    const [use] = await mediaUsesNow(tx, [mediaId], null, now)
    if (use) return 'in_use'
    await db.deleteFrom('experiment_media').where('media_id', '=', mediaId).execute()
    await db.updateTable('media_files').set({ removed_at: now }).where('media_id', '=', mediaId).execute()
    const details = { name: row.name, bytes: row.bytes }
    await writeAudit(db, { at: now, actor, action: 'media_removed', subject: mediaId, details })
    return 'removed'
  })

export const renameFile: Bound<MediaFileStore['rename']> = async (store, renamed) =>
  await renameLocked(store, renamed).catch((error: unknown) => {
    // Another file took the name at the same moment.
    if (isNameTaken(error)) return 'taken'
    throw error
  })

const isNameTaken = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^(23505|SQLITE_CONSTRAINT_UNIQUE)$/.test(String(error.code))

const renameLocked: Bound<MediaFileStore['rename']> = async ({ engine, db }, { mediaId, name, actor, now }) =>
  await db.transaction().execute(async (db) => {
    const row = await lockFile({ engine, db }, mediaId)
    if (!row) return 'not_found'
    if (row.name === name) return 'renamed'
    const other = await db
      .selectFrom('media_files')
      .select('media_id')
      .where('owner', '=', row.owner)
      .where('name', '=', name)
      .where('removed_at', 'is', null)
      .executeTakeFirst()
    if (other) return 'taken'
    await db.updateTable('media_files').set({ name }).where('media_id', '=', mediaId).execute()
    const details = { from: row.name, to: name }
    await writeAudit(db, { at: now, actor, action: 'media_renamed', subject: mediaId, details })
    return 'renamed'
  })

type Bound<Method extends (...args: never[]) => unknown> = (
  store: Sql,
  ...args: Parameters<Method>
) => ReturnType<Method>
