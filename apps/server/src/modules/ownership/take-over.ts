import { createHash } from 'node:crypto'
import { createLoop, type Loop } from '../../kernel/loop.ts'
import { createTurns } from '../../kernel/turns.ts'
import type { PodDirectory } from '../../ports/pod-directory.ts'
import type { RoomStore, Rooms } from '../rooms/index.ts'

export interface TakeOverDeps {
  directory: PodDirectory
  rooms: Pick<Rooms, 'live' | 'held'>
  store: Pick<RoomStore, 'orphans' | 'openRoomsOf'>
  podId: string
  /** P15: false while the directory may not yet know every living instance. */
  mayTake(): boolean
  onBackgroundError(error: unknown): void
}

/** Together with the lease, this is how long the rooms of a dead instance stand still. */
const checkEveryMs = 400
const takenAtOnce = 8
/**
 * The database is queried when the set of living instances has changed, until nothing is orphaned, and on every fifth check
 * in case an instance that was given up wrote a room late. Querying on every check would mean 2.5 queries a second from each
 * instance that find nothing for months.
 */
const queryAnywayEvery = 5

/**
 * Takes over the open rooms of dead instances, each by its heir. Also reopens rooms that are stored as this instance's but not
 * held here, because the database failed after they were claimed or while they were played.
 */
export function createTakeOver(deps: TakeOverDeps): Loop {
  const { directory, rooms, store, podId, mayTake, onBackgroundError } = deps
  const inTurn = createTurns(takenAtOnce)
  let checks = 0
  /** The living instances when every room was last found to be with one of them. */
  let settledAmong: string | undefined

  async function takeOrphans(): Promise<void> {
    if (!mayTake()) return
    const alive = await directory.alive()
    const heirs = heirsAmong(alive)
    // Cut off, or shutting down: what looks orphaned from here is not ours to take.
    if (!heirs.includes(podId)) return
    const living = [...alive.keys()].sort()
    const names = living.join()
    if (names === settledAmong && ++checks % queryAnywayEvery !== 0) return
    const orphans = await store.orphans(living)
    const strays = (await store.openRoomsOf(podId)).filter((roomId) => !rooms.held(roomId))
    settledAmong = orphans.length + strays.length === 0 ? names : undefined
    const mine = [...orphans.filter((roomId) => nextOwner(roomId, heirs) === podId), ...strays]
    const take = async (roomId: string): Promise<void> => {
      if (!loop.isStopped()) await rooms.live(roomId).catch(onBackgroundError)
    }
    await Promise.all(mine.map((roomId) => inTurn(() => take(roomId))))
  }

  const loop = createLoop(checkEveryMs, takeOrphans, onBackgroundError)
  return loop
}

/** The instances that may take rooms: alive and not draining. */
export const heirsAmong = (alive: Awaited<ReturnType<PodDirectory['alive']>>): string[] =>
  [...alive].filter(([, lease]) => !lease.draining).map(([podId]) => podId)

/**
 * The instance that takes a room. All instances find the same heir without asking each other, and the rooms of a dead instance are
 * spread evenly. If two instances disagree for a moment, the epoch decides.
 */
export function nextOwner(roomId: string, podIds: readonly string[]): string | undefined {
  const weighed = podIds.map((podId) => ({ podId, weight: weightOf(`${podId} ${roomId}`) }))
  weighed.sort((one, other) => (one.weight < other.weight ? 1 : -1))
  return weighed[0]?.podId
}

const weightOf = (text: string): string => createHash('sha256').update(text).digest('hex')
