import { resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { ResourceLimits } from 'node:worker_threads'
import { checkSpace } from '../disk/check-space.ts'
import { openPrivateFolder } from '../disk/private-folder.ts'
import { asRefusal } from '../sql/failures.ts'
import { type Database, storesThrough } from '../sql/stores.ts'
import { startStoreThread } from './store-thread.ts'

interface SqliteOptions {
  /** The thread of the database has ended, or cannot be started again yet. */
  onError?: (error: unknown) => void
  /** Others may read this file or folder, and it is not ours to change. */
  onShared?: (path: string) => void
  resourceLimits?: ResourceLimits
}

const restMs = 500

const files = [
  { name: 'atrium.db', make: true },
  { name: 'atrium.db-wal', make: false },
  { name: 'atrium.db-shm', make: false },
  { name: 'server.lock', make: true },
  { name: 'server.lock-journal', make: false },
]

/**
 * The embedded database: SQLite in DATA_DIR, in a worker thread. A thread that ends (it may run out of memory) takes what
 * was under way with it, refused and so tried again by whoever sent it; everything else goes on in a new one.
 */
export async function openSqlite(
  dataDir: string,
  { onError = () => undefined, onShared = () => undefined, resourceLimits = {} }: SqliteOptions = {},
): Promise<Database> {
  const folder = resolve(dataDir)
  await openPrivateFolder(folder, { files, onShared })
  let thread = await startStoreThread(folder, resourceLimits)
  let isClosing = false

  async function restart(): Promise<void> {
    try {
      thread = await startStoreThread(folder, resourceLimits)
      if (isClosing) await thread.close()
    } catch (error) {
      onError(error)
      await delay(restMs)
    }
  }

  async function keepRunning(): Promise<void> {
    while (!isClosing) {
      const error = await thread.ended
      if (isClosing) return
      onError(error ?? new Error('the thread of the database ended'))
      await restart()
    }
  }

  const running = keepRunning()
  const stores = storesThrough(async (store, method, args) => {
    if (method === 'checkWritable') await spaceIn(folder)
    return await thread.call(store, method, args)
  })
  return {
    ...stores,
    async close() {
      isClosing = true
      await thread.close()
      await running
    },
  }
}

const spaceIn = (folder: string): Promise<void> =>
  checkSpace(folder).catch((error: unknown) => {
    throw asRefusal(error)
  })
