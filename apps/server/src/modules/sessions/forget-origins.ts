import type { Clock } from '../../kernel/clock.ts'
import type { ForgetPosition, ForgetRequest, SessionStore } from './sessions.store.ts'

/** A start walks over all sessions there are; this keeps each sweep short. */
const stepsPerSweep = 20
const start: ForgetPosition = { expiresAt: 0, sessionId: '' }
/** A session may be found to be over long after the walk has passed its place. */
const walkAgainMs = 24 * 3_600_000

interface ForgetDeps {
  store: Pick<SessionStore, 'forgetOrigins'>
  clock: Clock
  originRetentionMs: number
}

/**
 * R48: erases IP addresses and user agents of sessions that were over long ago, a part of them at each call. What a
 * process has seen it does not look at again on that day; another process may have erased it already, which does no harm.
 */
export function createOriginSweep({ store, clock, originRetentionMs }: ForgetDeps) {
  const fromStart = { completed: start, expired: start, revoked: start }
  const positions: Record<ForgetRequest['status'], ForgetPosition> = { ...fromStart }
  let begunAt = clock.now()
  return async (): Promise<void> => {
    const now = clock.now()
    if (now - begunAt >= walkAgainMs) {
      Object.assign(positions, fromStart)
      begunAt = now
    }
    const expiredBefore = now - originRetentionMs
    for (const status of Object.keys(positions) as ForgetRequest['status'][])
      for (let step = 0; step < stepsPerSweep; step++) {
        const next = await store.forgetOrigins({ status, after: positions[status], expiredBefore })
        if (next === null) break
        positions[status] = next
      }
  }
}
