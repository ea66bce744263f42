import { limits } from '@atrium/contract'
import { sql } from 'kysely'
import type { CreatedMedia, MediaFile, MediaFileStore } from '../../../modules/media/media-files.store.ts'
import { namedIds } from '../row-set.ts'
import type { Sql } from '../tables.ts'
import { asMediaFile, mediaRowOf } from './media-file-rows.sql.ts'

/** PostgreSQL takes 65,535 values in a statement; a row has ten. */
const rowsAtOnce = 1_000

/** V24, V25: all or none; what the owner has already, by name and bytes, is returned as it is. */
export async function createFiles(
  store: Sql,
  { owner, files }: Parameters<MediaFileStore['create']>[0],
): Promise<CreatedMedia> {
  const { engine } = store
  return await store.db
    .transaction()
    .execute(async (db): Promise<CreatedMedia> => {
      const tx: Sql = { engine, db }
      const present = await presentOf(tx, owner, files)
      const taken = files.filter(({ name, sha256 }) => {
        const other = present.get(name)
        return other !== undefined && other.sha256 !== sha256
      })
      if (taken.length > 0) return { kind: 'taken', names: taken.map(({ name }) => name) }
      const fresh = files.filter(({ name }) => !present.has(name))
      if (await isTooMuch(tx, owner, fresh)) return { kind: 'too_many' }
      const inserted = await insertFiles(tx, fresh)
      // Somebody else uploads one of them at the same moment, in the same person's name.
      if (inserted < fresh.length) throw new NameJustTaken(fresh.map(({ name }) => name))
      return { kind: 'created', files: files.map((file) => present.get(file.name) ?? file) }
    })
    .catch((error: unknown) => {
      if (error instanceof NameJustTaken) return { kind: 'taken', names: error.names }
      throw error
    })
}

/** Rolls the transaction back. */
class NameJustTaken extends Error {
  readonly names: string[]

  constructor(names: string[]) {
    super('a name was taken at the same moment')
    this.names = names
  }
}

async function presentOf(
  { engine, db }: Sql,
  owner: string,
  files: readonly MediaFile[],
): Promise<Map<string, MediaFile>> {
  const names = namedIds(
    engine,
    files.map(({ name }) => name),
  )
  const rows = await db
    .selectFrom('media_files')
    .selectAll()
    .where('owner', '=', owner)
    .where('removed_at', 'is', null)
    .where('name', 'in', sql<string>`(select named.id from ${names})`)
    .execute()
  return new Map(rows.map((row) => [row.name, asMediaFile(row)]))
}

/** Uploads at the same moment may go beyond it, by as many as arrive at a time. */
async function isTooMuch({ db }: Sql, owner: string, fresh: readonly MediaFile[]): Promise<boolean> {
  const { count, bytes } = await db
    .selectFrom('media_files')
    .select([
      sql<number | string>`count(*)`.as('count'),
      sql<number | string>`coalesce(sum(bytes), 0)`.as('bytes'),
    ])
    .where('owner', '=', owner)
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow()
  const more = fresh.reduce((sum, file) => sum + file.bytes, 0)
  const { filesPerResearcher, bytesPerResearcher } = limits.media
  return Number(count) + fresh.length > filesPerResearcher || Number(bytes) + more > bytesPerResearcher
}

async function insertFiles({ db }: Sql, files: readonly MediaFile[]): Promise<number> {
  let inserted = 0
  for (let at = 0; at < files.length; at += rowsAtOnce) {
    const rows = await db
      .insertInto('media_files')
      .values(files.slice(at, at + rowsAtOnce).map(mediaRowOf))
      .onConflict((conflict) => conflict.doNothing())
      .returning('media_id')
      .execute()
    inserted += rows.length
  }
  return inserted
}
