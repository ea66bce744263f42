import type { SessionStore } from './sessions.store.ts'

const flushEveryMs = 5_000

/**
 * `lastActivityAt` without a write per request: the newest time per session is kept here and written now and then, all
 * in one statement. The statement never moves a time backwards, so late or repeated writes are safe.
 */
export function createActivity(store: SessionStore, onError: (error: unknown) => void) {
  let seen = new Map<string, number>()

  async function flush(): Promise<void> {
    if (seen.size === 0) return
    const written = seen
    seen = new Map()
    try {
      await store.touch([...written].map(([sessionId, at]) => ({ sessionId, at })))
    } catch (error) {
      // Kept for the next write, without overwriting newer times.
      for (const [sessionId, at] of written) seen.set(sessionId, Math.max(at, seen.get(sessionId) ?? 0))
      onError(error)
    }
  }

  const timer = setInterval(() => void flush(), flushEveryMs)
  timer.unref()
  return {
    note: (sessionId: string, at: number): void =>
      void seen.set(sessionId, Math.max(at, seen.get(sessionId) ?? 0)),
    flush,
    async stop(): Promise<void> {
      clearInterval(timer)
      await flush()
    },
  }
}
