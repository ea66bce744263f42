import { createIndexedDbQueue } from './indexed-db-queue.ts'
import { createMemoryQueue } from './memory-queue.ts'
import type { QueueStore } from './queue-store.ts'
import type { Locks } from './sender-lock.ts'

interface BrowserGlobals {
  indexedDB?: unknown
  navigator?: { locks?: Locks }
}

/**
 * IndexedDB where available, else memory. Memory as well when the browser refuses to open it (some private windows): a
 * participant whose data would not survive a crash is better than one who cannot take part.
 */
export function defaultQueueStore(globals: BrowserGlobals = globalThis as BrowserGlobals): QueueStore {
  const memory = createMemoryQueue()
  if (!globals.indexedDB) return memory
  const durable = createIndexedDbQueue({ locks: globals.navigator?.locks })
  return {
    isShared: true,
    open: (key) => durable.open(key).catch(() => memory.open(key)),
    claimSending: (key, onChange) =>
      durable.claimSending(key, onChange).catch(() => memory.claimSending(key, onChange)),
  }
}
