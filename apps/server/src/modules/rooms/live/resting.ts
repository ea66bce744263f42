import { randomBytes } from 'node:crypto'
import type { Clock } from '../../../kernel/clock.ts'
import type { ClaimedRoom, RoomStore } from '../rooms.store.ts'
import type { LiveRoom } from './live-room.ts'

interface IdleDeps {
  clock: Clock
  /** The rooms that are open here. */
  rooms: ReadonlyMap<string, LiveRoom>
  rest(roomId: string, room: LiveRoom): Promise<void>
  onBackgroundError(error: unknown): void
}

const checkEveryMs = 500
/** Usually a moment passes between the handshake and taking the seat; on a very busy machine, a long one. */
const expectedForMs = 10_000

/** Puts rooms to rest once nobody is connected to them. */
export function createIdleWatch({ clock, rooms, rest, onBackgroundError }: IdleDeps) {
  /** By room: until when somebody who has knocked may still come in. */
  const expected = new Map<string, number>()

  function restIdleRooms(): void {
    const now = clock.now()
    for (const [roomId, until] of expected) if (until <= now) expected.delete(roomId)
    for (const [roomId, room] of rooms)
      if (!expected.has(roomId) && room.mayRest()) rest(roomId, room).catch(onBackgroundError)
  }

  const timer = setInterval(restIdleRooms, checkEveryMs)
  timer.unref()
  return {
    /** Somebody is about to come in: the room does not rest before they have had time to. */
    expect: (roomId: string): void => void expected.set(roomId, clock.now() + expectedForMs),
    stop: (): void => clearInterval(timer),
  }
}

interface VisitDeps {
  store: RoomStore
  clock: Clock
  /** The room, restored from its log and up to date. Nobody else holds it. */
  restore(claimed: ClaimedRoom): Promise<LiveRoom>
  onBackgroundError(error: unknown): void
}

/**
 * RM78: the clock and researchers act on a resting room without waking it. It takes up no place and no count changes; the
 * epoch separates us from an instance that wakes it at the same moment.
 */
export function createRestingVisits({ store, clock, restore, onBackgroundError }: VisitDeps) {
  const underWay = new Map<string, Promise<unknown>>()

  async function visit<Result>(
    roomId: string,
    act: (room: LiveRoom) => Promise<Result>,
  ): Promise<{ result: Result } | undefined> {
    const claimed = await store.claimAsleep(roomId, randomBytes(12).toString('base64url'), clock.now())
    if (!claimed) return undefined
    const room = await restore(claimed)
    try {
      return { result: await act(room) }
    } finally {
      // If this fails the room stays due, and the next sweep puts it to rest.
      if (room.state().status.kind !== 'ended') await room.rest().catch(onBackgroundError)
      room.stop()
    }
  }

  return {
    /** Resolves once no room is being visited. */
    stop: async (): Promise<void> => void (await Promise.allSettled(underWay.values())),
    /** Resolves once nobody here is visiting the room. */
    whenDone: async (roomId: string): Promise<unknown> => await underWay.get(roomId)?.catch(() => undefined),
    /** Visits take turns. Undefined when the room is not resting. */
    async visit<Result>(roomId: string, act: (room: LiveRoom) => Promise<Result>) {
      const former = underWay.get(roomId)?.catch(() => undefined)
      const visiting = Promise.resolve(former).then(() => visit(roomId, act))
      underWay.set(roomId, visiting)
      try {
        return await visiting
      } finally {
        if (underWay.get(roomId) === visiting) underWay.delete(roomId)
      }
    },
  }
}
