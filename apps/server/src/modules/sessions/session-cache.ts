import { LRUCache } from 'lru-cache'
import type { Bus } from '../../ports/bus.ts'
import type { SessionRecord, SessionStore } from './sessions.store.ts'

/**
 * R15 allows 5 s until a revocation is known everywhere. The bus tells at once; should it fail, nothing older
 * than this is believed, which leaves two seconds for the read itself.
 */
const believedMs = 3_000
const mostSessions = 20_000

export type SessionCache = ReturnType<typeof createSessionCache>

/** Sessions by id, so that a busy session costs one read every few seconds and not one per request. */
export function createSessionCache(store: SessionStore, bus: Bus) {
  const cache = new LRUCache<string, SessionRecord>({ max: mostSessions, ttl: believedMs })
  const reading = new Map<string, Promise<SessionRecord | undefined>>()
  bus.subscribe('sessions_changed', ({ sessionIds }) => {
    for (const id of sessionIds) cache.delete(id)
  })

  async function read(sessionId: string): Promise<SessionRecord | undefined> {
    const session = await store.find(sessionId)
    if (session) cache.set(sessionId, session)
    return session
  }

  return {
    async find(sessionId: string): Promise<SessionRecord | undefined> {
      const known = cache.get(sessionId)
      if (known) return known
      // Requests that miss together share one read.
      const under = reading.get(sessionId)
      if (under) return await under
      const started = read(sessionId).finally(() => reading.delete(sessionId))
      reading.set(sessionId, started)
      return await started
    },
    put: (session: SessionRecord): void => void cache.set(session.sessionId, session),
    get size(): number {
      return cache.size
    },
    /** Forgets here and tells the other instances; that they also forget by themselves makes losing this safe. */
    async changed(sessionIds: string[]): Promise<void> {
      for (const id of sessionIds) cache.delete(id)
      if (sessionIds.length > 0) await bus.publish('sessions_changed', { sessionIds }).catch(() => undefined)
    },
  }
}
