import { mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { ResourceLimits } from 'node:worker_threads'
import { type Database, storesThrough } from '../sql/stores.ts'
import { startStoreThread } from './store-thread.ts'

interface SqliteOptions {
  /** The thread of the database has ended, or cannot be started again yet. */
  onError?: (error: unknown) => void
  resourceLimits?: ResourceLimits
}

const restMs = 500

/**
 * The embedded database: SQLite in DATA_DIR, in a worker thread. A thread that ends (it may run out of memory) takes what
 * was under way with it, refused and so tried again by whoever sent it; everything else goes on in a new one.
 */
export async function openSqlite(
  dataDir: string,
  { onError = () => undefined, resourceLimits = {} }: SqliteOptions = {},
): Promise<Database> {
  const folder = resolve(dataDir)
  await mkdir(folder, { recursive: true })
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
  return {
    ...storesThrough((store, method, args) => thread.call(store, method, args)),
    async close() {
      isClosing = true
      await thread.close()
      await running
    },
  }
}
