import { LRUCache } from 'lru-cache'
import type { Bus } from '../../ports/bus.ts'
import type { KeyRecord, KeyStore } from './keys.store.ts'

/**
 * K5: a revocation is known everywhere within 5 s. The bus is immediate; if it fails, nothing older than this is trusted,
 * which leaves two seconds for the read itself. As with sessions.
 */
const believedMs = 3_000
const maxKeys = 5_000

/** Keys by id, so that a busy script costs one read every few seconds. */
export function createKeyCache(store: KeyStore, bus: Bus) {
  const cache = new LRUCache<string, KeyRecord>({ max: maxKeys, ttl: believedMs })
  bus.subscribe('keys_revoked', ({ keyIds }) => {
    for (const id of keyIds) cache.delete(id)
  })
  return {
    async find(keyId: string): Promise<KeyRecord | undefined> {
      const known = cache.get(keyId)
      if (known) return known
      const key = await store.find(keyId)
      if (key) cache.set(keyId, key)
      return key
    },
    /** For those who ask seldom, and must not hear what was true some seconds ago. */
    async findStored(keyId: string): Promise<KeyRecord | undefined> {
      const key = await store.find(keyId)
      if (key) cache.set(keyId, key)
      else cache.delete(keyId)
      return key
    },
    /** Forgets a key here and tells the other instances. If the message is lost, their entries soon expire. */
    async revoked(keyId: string): Promise<void> {
      cache.delete(keyId)
      await bus.publish('keys_revoked', { keyIds: [keyId] }).catch(() => undefined)
    },
  }
}
