import type { ShownPayment } from '@atrium/contract'
import type { Clock } from '../../kernel/clock.ts'
import type { Quota } from '../../kernel/quota.ts'
import type { Space } from '../../kernel/space.ts'
import type { Bus } from '../../ports/bus.ts'
import type { Experiments } from '../experiments/index.ts'
import type { SessionTokens } from './session-token.ts'
import type { SessionStore } from './sessions.store.ts'

export interface SessionDeps {
  store: SessionStore
  experiments: Experiments
  tokens: SessionTokens
  bus: Bus
  clock: Clock
  podId: string
  softwareVersion: string
  quota: Quota
  space: Pick<Space, 'has'>
  bindIp: boolean
  /** R48: how long after its end a session keeps its IP address and user agent. */
  originRetentionMs: number
  /** The outcome that a room has decided for one of its participants, read from its log. */
  decidedInRoom(roomId: string, participantId: string): Promise<string | undefined>
  /** What somebody has earned who ends with this outcome; undefined if it is not paid, or not known. */
  paidInRoom(member: {
    roomId: string
    participantId: string
    outcome: string
  }): Promise<ShownPayment | undefined>
  /** The participant has withdrawn their consent: the room lets them go, if this instance holds it. */
  withdrawFromRoom(member: { roomId: string; participantId: string }): Promise<void>
  onBackgroundError(error: unknown): void
}
