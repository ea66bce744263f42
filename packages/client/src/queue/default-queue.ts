import { createIndexedDbQueue } from './indexed-db-queue.ts'
import { createMemoryQueue } from './memory-queue.ts'
import type { QueueStore } from './queue-store.ts'
import type { Locks } from './sender-lock.ts'

interface BrowserGlobals {
  indexedDB?: unknown
  navigator?: { locks?: Locks }
}

/**
 * IndexedDB where there is one, else memory. Where the browser has it but refuses to open it (some private windows),
 * memory as well: a participant who cannot be saved from a crash is better than one who cannot take part.
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
