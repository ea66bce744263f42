import { AppError } from '../../../kernel/app-error.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { createLoop } from '../../../kernel/loop.ts'
import type { Rooms } from '../../rooms/index.ts'
import type { PilotStore } from '../pilots.store.ts'

export interface PilotOpenerDeps {
  store: Pick<PilotStore, 'waiting'>
  rooms: Pick<Rooms, 'live' | 'listen'>
  /** Rooms that this instance holds. */
  countRooms(): number
  maxRooms: number
  clock: Clock
  onBackgroundError(error: unknown): void
}

/** Another instance may have stored a pilot, or may have no places left. */
const checkEveryMs = 5_000
const retryAfterMs = 60_000

/**
 * Opens the rooms of pilots, which nobody connects to. They take at most half the places of an instance, so that people
 * are never turned away because of a pilot; the rest wait. Whatever instance has places opens them.
 */
export function createPilotOpener(deps: PilotOpenerDeps) {
  const { store, rooms, clock, onBackgroundError } = deps
  const maxPilotRooms = Math.max(1, Math.floor(deps.maxRooms / 2))
  /** Rooms that could not be opened, and when they are tried again; others must not wait for them. */
  const failed = new Map<string, number>()
  let opening: Promise<void> = Promise.resolve()
  let isStopped = false

  async function open(): Promise<void> {
    for (let places = maxPilotRooms - deps.countRooms(); places > 0 && !isStopped; ) {
      const now = clock.now()
      for (const [roomId, until] of failed) if (until <= now) failed.delete(roomId)
      const found = await store.waiting(places + failed.size)
      const next = found.filter((roomId) => !failed.has(roomId)).slice(0, places)
      if (next.length === 0) return
      await Promise.all(next.map(openOne))
      places = maxPilotRooms - deps.countRooms()
    }
  }

  async function openOne(roomId: string): Promise<void> {
    try {
      await rooms.live(roomId)
    } catch (error) {
      failed.set(roomId, clock.now() + retryAfterMs)
      // Another instance was faster.
      if (!(error instanceof AppError && error.code === 'ROOM_ELSEWHERE')) onBackgroundError(error)
    }
  }

  /** One after the other, because each counts the places that the one before has left. */
  const openMore = (): Promise<void> => {
    opening = opening.then(() => (isStopped ? undefined : open())).catch(onBackgroundError)
    return opening
  }

  const loop = createLoop(checkEveryMs, openMore, onBackgroundError)
  rooms.listen({ ended: () => void openMore() })
  return {
    start: loop.start,
    openMore,
    async stop(): Promise<void> {
      isStopped = true
      loop.stop()
      await opening
    },
  }
}
