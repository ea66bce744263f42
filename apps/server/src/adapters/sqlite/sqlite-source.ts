import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import Sqlite from 'better-sqlite3'
import { TransferRefused } from '../../kernel/transfer-errors.ts'
import type { DataSource } from '../../ports/transfer.ts'
import { recordIn } from '../sql/migrations/migration-record.ts'
import { secretRowsIn, secretTable } from './secret-rows.ts'
import { sqliteColumnsOf, sqliteRows } from './sqlite-rows.ts'
import { refuseUnfinishedTransfer } from './unfinished-transfer.ts'

const fileIn = (folder: string): string => join(folder, 'atrium.db')

export function refuseWithoutDatabase(dataDir: string): void {
  const folder = resolve(dataDir)
  refuseUnfinishedTransfer(folder)
  if (!existsSync(fileIn(folder))) throw new TransferRefused(`There is no database in ${folder} (DATA_DIR).`)
}

/**
 * The embedded database at one moment, beside a server that goes on writing: one read transaction. SQLite's backup API
 * would begin anew whenever another process writes, and `vacuum into` needs the space of a second database. The price is
 * that the write-ahead log keeps growing until the last table has been read.
 */
export async function openSqliteSource(dataDir: string): Promise<DataSource> {
  const folder = resolve(dataDir)
  refuseWithoutDatabase(folder)
  const database = new Sqlite(fileIn(folder), { readonly: true, fileMustExist: true })
  database.pragma('busy_timeout = 5000')
  database.exec('begin')
  const record = recordIn((table) => sqliteColumnsOf(database, table).length > 0)
  if (record === undefined) {
    database.close()
    throw new TransferRefused(`The database in ${folder} (DATA_DIR) is empty.`)
  }
  // The first statement that reads begins the snapshot.
  const migrations = database
    .prepare<[], { name: string }>(`select name from ${record} order by name`)
    .all()
    .map(({ name }) => name)
  return {
    engine: 'sqlite',
    migrations,
    columnsOf: async (table) => sqliteColumnsOf(database, table),
    async *rows(table, columns) {
      yield* sqliteRows(database, table, columns)
      if (table === secretTable) yield await secretRowsIn(folder)
    },
    close: async () => void database.close(),
  }
}
