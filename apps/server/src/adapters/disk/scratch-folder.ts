import { existsSync } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'

export interface ScratchFolder {
  readonly path: string
  /** Removes what is in it, and lets others use it. */
  close(): Promise<void>
}

/** More programs than anyone runs on one machine. */
const maxSlots = 1_000

/**
 * A folder for temporary files that no other program on this machine uses, even if several have the same `root`. What
 * programs left behind that were killed is removed here; a lock that the system drops when a program dies tells which
 * ones are alive.
 */
export async function openScratchFolder(root: string): Promise<ScratchFolder> {
  await mkdir(root, { recursive: true, mode: 0o700 })
  const slot = await takeFirstFree(root)
  for (const name of await readdir(root)) await emptyIfFree(root, name)
  return slot
}

async function takeFirstFree(root: string): Promise<ScratchFolder> {
  for (let number = 0; number < maxSlots; number++) {
    const path = join(root, String(number))
    const lock = tryLock(path)
    if (lock === undefined) continue
    await rm(path, { recursive: true, force: true })
    await mkdir(path, { mode: 0o700 })
    return {
      path,
      async close() {
        await rm(path, { recursive: true, force: true })
        lock.close()
      },
    }
  }
  throw new Error(`${maxSlots} programs use ${root} already`)
}

async function emptyIfFree(root: string, name: string): Promise<void> {
  const path = join(root, name)
  if (!/^\d+$/.test(name) || !existsSync(`${path}.lock`)) return
  const lock = tryLock(path)
  if (lock === undefined) return
  await rm(path, { recursive: true, force: true })
  lock.close()
}

/** SQLite's locks are those of the system, which Node does not offer. The file stays: removing it could not be made safe. */
function tryLock(path: string): Sqlite.Database | undefined {
  const lock = new Sqlite(`${path}.lock`, { timeout: 0 })
  try {
    return lock.exec('begin exclusive')
  } catch (error) {
    lock.close()
    if ((error as { code?: unknown }).code === 'SQLITE_BUSY') return undefined
    throw error
  }
}
