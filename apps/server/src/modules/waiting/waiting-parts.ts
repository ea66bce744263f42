import type { Clock } from '../../kernel/clock.ts'
import type { Bus } from '../../ports/bus.ts'
import type { PodDirectory } from '../../ports/pod-directory.ts'
import type { WaitingQueue } from '../../ports/waiting-queue.ts'
import type { Experiments } from '../experiments/index.ts'
import type { RoomStore, Rooms } from '../rooms/index.ts'
import type { Sessions } from '../sessions/index.ts'

/** What waiting and matching are made of. */
export interface WaitingParts {
  queue: WaitingQueue
  pods: PodDirectory
  rooms: Rooms
  roomStore: Pick<RoomStore, 'find' | 'formerPartners'>
  sessions: Sessions
  experiments: Experiments
  bus: Bus
  clock: Clock
  podId: string
  heartbeatMs: number
  /** How many wait through this instance, and how many of them only for an instance with room. */
  onCounted(people: number, withoutCapacity: number): void
  onBackgroundError(error: unknown): void
  /** For whoever runs the server: a sentence that is always the same, and the facts. */
  warn(facts: Record<string, unknown>, message: string): void
}

/** Long enough for a reload or another instance, short enough that nobody is matched with a ghost. */
export const graceMs = 10_000
/** After the grace nobody is matched any more, but who comes back within this finds their place again. */
export const placeKeptMs = 60_000
/** A group that was claimed and has no room by then waits again. */
export const reservationMs = 15_000
export const leadershipMs = 3_000
export const beatMs = 1_000
/** Together fewer than the connections to the database, which others need as well. */
export const roundsAtOnce = 4
export const endingsAtOncePerRound = 2
