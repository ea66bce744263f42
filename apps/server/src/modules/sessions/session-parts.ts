import type { Clock } from '../../kernel/clock.ts'
import type { Bus } from '../../ports/bus.ts'
import type { Experiments } from '../experiments/index.ts'
import type { SessionTokens } from './session-token.ts'
import type { SessionStore } from './sessions.store.ts'

/** What sessions are made of. */
export interface SessionParts {
  store: SessionStore
  experiments: Experiments
  tokens: SessionTokens
  bus: Bus
  clock: Clock
  podId: string
  bindIp: boolean
  onBackgroundError(error: unknown): void
}
