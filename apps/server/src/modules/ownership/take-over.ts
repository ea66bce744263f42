import { createHash } from 'node:crypto'
import type { PodDirectory } from '../../ports/pod-directory.ts'
import type { RoomStore, Rooms } from '../rooms/index.ts'

export interface TakeOverParts {
  directory: PodDirectory
  rooms: Pick<Rooms, 'live' | 'held'>
  store: Pick<RoomStore, 'orphans' | 'openRoomsOf'>
  podId: string
  onBackgroundError(error: unknown): void
}

/** With the lease, how long the rooms of a dead pod stand still. */
const lookEveryMs = 400
const takenAtOnce = 8
/**
 * The database is asked when the living have changed, until nothing is orphaned, and every so many looks for a room
 * that was written late by a pod already given up. At every look it would be a query for each pod, 2.5 times a second,
 * that finds nothing for months.
 */
const askAnywayEvery = 5

/**
 * Takes over the open rooms of pods that are no more, each by the pod that its id falls to; and those that are written down
 * as this pod's but are not here: the database failed after they were claimed, or while they were played.
 */
export function createTakeOver({ directory, rooms, store, podId, onBackgroundError }: TakeOverParts) {
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  let looks = 0
  /** The living at the last time that every room was with a pod. */
  let quietAmong: string | undefined

  async function look(): Promise<void> {
    const alive = await directory.alive()
    const heirs = [...alive].filter(([, lease]) => !lease.draining).map(([heirId]) => heirId)
    // Cut off, or leaving: whatever looks orphaned from here is not for us.
    if (!heirs.includes(podId)) return
    const living = [...alive.keys()].sort()
    const names = living.join()
    if (names === quietAmong && ++looks % askAnywayEvery !== 0) return
    const orphans = await store.orphans(living)
    const strays = (await store.openRoomsOf(podId)).filter((roomId) => !rooms.held(roomId))
    quietAmong = orphans.length + strays.length === 0 ? names : undefined
    const mine = [...orphans.filter((roomId) => heirOf(roomId, heirs) === podId), ...strays]
    const takeNext = async (): Promise<void> => {
      for (let roomId = mine.pop(); roomId !== undefined && !isStopped; roomId = mine.pop())
        await rooms.live(roomId).catch(onBackgroundError)
    }
    await Promise.all(Array.from({ length: takenAtOnce }, takeNext))
  }

  function lookLater(): void {
    if (isStopped) return
    timer = setTimeout(() => void look().catch(onBackgroundError).finally(lookLater), lookEveryMs)
    timer.unref()
  }

  return {
    start: lookLater,
    stop(): void {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

/**
 * Which of the pods takes a room: all of them agree without asking each other, and the rooms of a dead pod are spread
 * evenly. Should they disagree for a moment, the epoch decides.
 */
export function heirOf(roomId: string, podIds: readonly string[]): string | undefined {
  const weighed = podIds.map((podId) => ({ podId, weight: weightOf(`${podId} ${roomId}`) }))
  weighed.sort((one, other) => (one.weight < other.weight ? 1 : -1))
  return weighed[0]?.podId
}

const weightOf = (text: string): string => createHash('sha256').update(text).digest('hex')
