import type { Clock } from '../../kernel/clock.ts'
import type { Bus } from '../../ports/bus.ts'
import type { PodDirectory } from '../../ports/pod-directory.ts'
import type { WaitingQueue } from '../../ports/waiting-queue.ts'
import type { Experiments } from '../experiments/index.ts'
import type { RoomStore, Rooms } from '../rooms/index.ts'
import type { Sessions } from '../sessions/index.ts'

/** What waiting and matching depend on. */
export interface WaitingDeps {
  queue: WaitingQueue
  pods: PodDirectory
  rooms: Rooms
  roomStore: Pick<RoomStore, 'find' | 'formerPartners' | 'variablesOf'>
  sessions: Sessions
  experiments: Experiments
  bus: Bus
  clock: Clock
  podId: string
  heartbeatMs: number
  /** How many people wait through this instance, and how many of them only for an instance with capacity. */
  onCounted(people: number, withoutCapacity: number): void
  onBackgroundError(error: unknown): void
  /** For the log: a constant message, and structured fields. */
  warn(facts: Record<string, unknown>, message: string): void
}

/** Long enough for a reload or a change of instance, short enough that nobody is matched with a ghost. */
export const graceMs = 10_000
/** After the grace period a participant is no longer matched, but keeps their position in the queue for this long. */
export const positionKeptMs = 60_000
/** A claimed group that has no room by then waits again. */
export const reservationMs = 15_000
export const leadershipMs = 3_000
export const beatMs = 1_000
/** Together fewer than the database connections, which others need as well. */
export const roundsAtOnce = 4
export const endingsAtOncePerRound = 2
