import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'

/** The variable in which the global set-up leaves the path of a database; workers inherit it. */
export const firstDatabaseVariable = 'ATRIUM_TEST_DATABASE'
/** What servers call it in their data folder. */
export const databaseFile = 'atrium.db'

/** Fills the data folder of an embedded server as its first start would; outside a test run it stays empty. */
export function fillDataFolder(dataDir: string): void {
  const database = process.env[firstDatabaseVariable]
  if (database === undefined) return
  mkdirSync(dataDir, { mode: 0o700 })
  copyFileSync(database, join(dataDir, databaseFile))
}
