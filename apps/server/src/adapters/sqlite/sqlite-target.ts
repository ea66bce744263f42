import { existsSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import Sqlite from 'better-sqlite3'
import { Kysely } from 'kysely'
import { TransferRefused } from '../../kernel/transfer-errors.ts'
import type { DataTarget, Row } from '../../ports/transfer.ts'
import { openPrivateFolder } from '../disk/private-folder.ts'
import { migrateUpTo } from '../sql/migrations/migrations.ts'
import { holdFolderAlone } from './folder-lock.ts'
import { adoptSecretRows, isSecretRow, secretTable } from './secret-rows.ts'
import { quoted, sqliteRows } from './sqlite-rows.ts'
import { unfinishedFile } from './unfinished-transfer.ts'
import { WholeMigrationsDialect } from './whole-migrations.ts'

/** Fills a database under another name, which becomes `atrium.db` in one step when it is complete. */
export async function openSqliteTarget(dataDir: string): Promise<DataTarget> {
  const folder = resolve(dataDir)
  const file = join(folder, 'atrium.db')
  const unfinished = join(folder, unfinishedFile)
  refuseDatabaseIn(folder)
  await openPrivateFolder(folder, { files: [{ name: 'server.lock', make: true }], onShared: () => undefined })
  const lock = holdFolderAlone(folder)
  let begun: Sqlite.Database | undefined
  const database = (): Sqlite.Database => {
    if (!begun) throw new Error('the transfer has not begun')
    return begun
  }
  const migrate = (last: string) =>
    migrateUpTo(
      last,
      'sqlite',
      new Kysely<never>({ dialect: new WholeMigrationsDialect({ database: database() }) }),
    )
  /** What triggers have made of rows comes along with them, and must not be made again. */
  let triggers: string[] = []
  /** They become files at the end. */
  const secretRows: Row[] = []

  return {
    async begin(lastMigration) {
      begun = await openEmpty(unfinished)
      await migrate(lastMigration)
      triggers = removeTriggers(begun)
    },
    async insert(table, columns, rows) {
      const isSecret = table === secretTable ? isSecretRow : () => false
      secretRows.push(...rows.filter(isSecret))
      const values = columns.map((column) => `@${column}`)
      const statement = database().prepare(
        `insert into ${quoted(table)} (${columns.map(quoted).join()}) values (${values.join()})`,
      )
      const insertAll = database().transaction(() => {
        for (const row of rows) if (!isSecret(row)) statement.run(row)
      })
      insertAll()
    },
    async *rows(table, columns) {
      yield* sqliteRows(database(), table, columns)
      if (table === secretTable) yield secretRows
    },
    async finish() {
      for (const statement of triggers) database().exec(statement)
      await migrate('newest')
      const broken = database().pragma('foreign_key_check') as unknown[]
      if (broken.length > 0) throw new Error(`${broken.length} rows refer to rows that are not there`)
      database().close()
      await adoptSecretRows(folder, secretRows)
      await syncToDisk(unfinished)
      refuseDatabaseIn(folder)
      await rename(unfinished, file)
      await syncToDisk(folder)
    },
    async close() {
      begun?.close()
      lock.close()
    },
  }
}

/**
 * SQLite applies a log that it finds beside a database, even one of another database. And a log may hold the only copy of
 * what was acknowledged, so it is not for us to remove.
 */
function refuseDatabaseIn(folder: string): void {
  const found = ['', '-wal', '-shm', '-journal'].find((end) => existsSync(join(folder, `atrium.db${end}`)))
  if (found === undefined) return
  throw new TransferRefused(
    found === ''
      ? `${folder} (DATA_DIR) is not empty: it has a database, which is never overwritten.`
      : `${folder} (DATA_DIR) is not empty: it has atrium.db${found}, which belongs to a database that is no longer there. Move the whole folder away.`,
  )
}

/** Returns the statements that make them again. */
function removeTriggers(database: Sqlite.Database): string[] {
  const found = database
    .prepare<[], { name: string; sql: string }>(`select name, sql from sqlite_master where type = 'trigger'`)
    .all()
  for (const { name } of found) database.exec(`drop trigger ${quoted(name)}`)
  return found.map(({ sql }) => sql)
}

/** Fast rather than durable: nobody uses it before all of it is on the disk, and what is interrupted begins anew. */
async function openEmpty(path: string): Promise<Sqlite.Database> {
  for (const left of [path, `${path}-journal`]) await rm(left, { force: true })
  await (await open(path, 'wx', 0o600)).close()
  const database = new Sqlite(path)
  database.pragma('journal_mode = MEMORY')
  database.pragma('synchronous = OFF')
  return database
}

async function syncToDisk(path: string): Promise<void> {
  const opened = await open(path, 'r')
  try {
    await opened.sync()
  } finally {
    await opened.close()
  }
}
