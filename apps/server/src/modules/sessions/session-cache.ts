import { LRUCache } from 'lru-cache'
import type { Bus } from '../../ports/bus.ts'
import type { SessionRecord, SessionStore } from './sessions.store.ts'

/**
 * R15 allows 5 s until a revocation is known everywhere. The bus is immediate; if it fails, nothing older than this is
 * trusted, which leaves two seconds for the read itself.
 */
const believedMs = 3_000
const maxSessions = 20_000

export interface SessionCache {
  find(sessionId: string): Promise<SessionRecord | undefined>
  put(session: SessionRecord): void
  readonly size: number
  /** Forgets the sessions here and tells the other instances. If the message is lost, their entries soon expire. */
  changed(sessionIds: string[]): Promise<void>
}

/** Sessions by id, so that a busy session costs one read every few seconds instead of one per request. */
export function createSessionCache(store: SessionStore, bus: Bus): SessionCache {
  const cache = new LRUCache<string, SessionRecord>({ max: maxSessions, ttl: believedMs })
  const read = createGroupRead(store)
  bus.subscribe('sessions_changed', ({ sessionIds }) => {
    for (const id of sessionIds) cache.delete(id)
  })

  return {
    async find(sessionId) {
      const known = cache.get(sessionId)
      if (known) return known
      const session = await read(sessionId)
      if (session) cache.set(sessionId, session)
      return session
    },
    put: (session) => void cache.set(session.sessionId, session),
    get size(): number {
      return cache.size
    },
    async changed(sessionIds) {
      for (const id of sessionIds) cache.delete(id)
      if (sessionIds.length > 0) await bus.publish('sessions_changed', { sessionIds }).catch(() => undefined)
    },
  }
}

/**
 * Reads requested while one is under way are combined in the next: with thousands of participants one query then
 * serves dozens of requests, and many requests of one session share a read.
 */
function createGroupRead(store: SessionStore) {
  interface Group {
    ids: Set<string>
    found: Promise<Map<string, SessionRecord>>
  }
  let gathering: Group | undefined
  let underWay: Promise<unknown> = Promise.resolve()

  async function readGroup(ids: Set<string>): Promise<Map<string, SessionRecord>> {
    await underWay
    gathering = undefined
    const sessions = await store.findMany([...ids])
    return new Map(sessions.map((session) => [session.sessionId, session]))
  }

  return async (sessionId: string): Promise<SessionRecord | undefined> => {
    if (!gathering) {
      const ids = new Set<string>()
      gathering = { ids, found: readGroup(ids) }
      // A failed read is reported to its callers; the next one tries again.
      underWay = gathering.found.catch(() => undefined)
    }
    gathering.ids.add(sessionId)
    return (await gathering.found).get(sessionId)
  }
}
