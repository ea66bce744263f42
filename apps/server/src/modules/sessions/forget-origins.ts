import type { Clock } from '../../kernel/clock.ts'
import type { ForgetPosition, ForgetRequest, SessionStore } from './sessions.store.ts'

/** A start walks over all sessions there are; this keeps each sweep short. */
const stepsPerSweep = 20
const start: ForgetPosition = { expiresAt: 0, sessionId: '' }

interface ForgetDeps {
  store: Pick<SessionStore, 'forgetOrigins'>
  clock: Clock
  originRetentionMs: number
}

/**
 * R48: erases IP addresses and user agents of sessions that were over long ago, a part of them at each call. What a
 * process has seen it does not look at again; another process may have erased it already, which does no harm.
 */
export function createOriginSweep({ store, clock, originRetentionMs }: ForgetDeps) {
  const positions: Record<ForgetRequest['status'], ForgetPosition> = {
    completed: start,
    expired: start,
    revoked: start,
  }
  return async (): Promise<void> => {
    const expiredBefore = clock.now() - originRetentionMs
    for (const status of Object.keys(positions) as ForgetRequest['status'][])
      for (let step = 0; step < stepsPerSweep; step++) {
        const next = await store.forgetOrigins({ status, after: positions[status], expiredBefore })
        if (next === null) break
        positions[status] = next
      }
  }
}
