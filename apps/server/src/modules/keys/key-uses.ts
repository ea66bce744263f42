import type { KeyRecord, KeyStore } from './keys.store.ts'

/** K6: a script that calls all day writes once a minute. */
const everyMs = 60_000

/** Notes when keys were last used, beside the requests. */
export function createKeyUses(store: Pick<KeyStore, 'used'>, onBackgroundError: (error: unknown) => void) {
  const writing = new Map<string, Promise<void>>()
  return {
    note(key: KeyRecord, now: number): void {
      if (writing.has(key.keyId) || (key.lastUsedAt !== null && key.lastUsedAt > now - everyMs)) return
      // Until the record is read again.
      key.lastUsedAt = now
      const use = { keyId: key.keyId, at: now, unlessSince: now - everyMs }
      writing.set(
        key.keyId,
        store
          .used(use)
          .catch(onBackgroundError)
          .finally(() => writing.delete(key.keyId)),
      )
    },
    /** Resolves when everything noted is stored. */
    async stop(): Promise<void> {
      await Promise.all(writing.values())
    },
  }
}
