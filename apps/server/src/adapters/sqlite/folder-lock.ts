import { join } from 'node:path'
import Sqlite from 'better-sqlite3'

/**
 * In-process coordination is only right for one process: a lock that the system drops when we die, however. The
 * caller must keep what it gets; a lock that nobody refers to is closed with the next garbage.
 */
export function holdFolderAlone(dataDir: string): Sqlite.Database {
  const lock = new Sqlite(join(dataDir, 'server.lock'), { timeout: 0 })
  try {
    return lock.exec('begin exclusive')
  } catch {
    lock.close()
    throw new Error(`DATA_DIR is in use by another server: ${dataDir}`)
  }
}
