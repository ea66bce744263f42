import { randomBytes } from 'node:crypto'
import type { Clock } from '../../../kernel/clock.ts'
import type { ClaimedRoom, RoomStore } from '../rooms.store.ts'
import type { LiveRoom } from './live-room.ts'

interface PassingDeps {
  store: RoomStore
  clock: Clock
  /** The room, brought back from its log and up to date. It is in nobody's hands but ours. */
  bringBack(claimed: ClaimedRoom): Promise<LiveRoom>
  onBackgroundError(error: unknown): void
}

/**
 * RM78: what the clock or a researcher does to a room that is asleep is done in passing. It stays asleep meanwhile, so that
 * it holds no place and no count changes; the epoch keeps whoever wakes it at that moment and us apart.
 */
export function createPassing({ store, clock, bringBack, onBackgroundError }: PassingDeps) {
  const underWay = new Map<string, Promise<unknown>>()

  async function pass<Done>(
    roomId: string,
    act: (room: LiveRoom) => Promise<Done>,
  ): Promise<{ done: Done } | undefined> {
    const claimed = await store.claimAsleep(roomId, randomBytes(12).toString('base64url'), clock.now())
    if (!claimed) return undefined
    const room = await bringBack(claimed)
    try {
      return { done: await act(room) }
    } finally {
      // Otherwise it stays due, and the next sweep brings it to rest.
      if (room.state().status.kind !== 'ended') await room.rest().catch(onBackgroundError)
      room.stop()
    }
  }

  return {
    /** Back when nobody is busy with any room. */
    stop: async (): Promise<void> => void (await Promise.allSettled(underWay.values())),
    /** Back when nobody here is busy with the room. */
    settled: async (roomId: string): Promise<unknown> => await underWay.get(roomId)?.catch(() => undefined),
    /** One after the other. Undefined when the room is not asleep. */
    async through<Done>(roomId: string, act: (room: LiveRoom) => Promise<Done>) {
      const former = underWay.get(roomId)?.catch(() => undefined)
      const passing = Promise.resolve(former).then(() => pass(roomId, act))
      underWay.set(roomId, passing)
      try {
        return await passing
      } finally {
        if (underWay.get(roomId) === passing) underWay.delete(roomId)
      }
    },
  }
}
