import type { Clock } from '../../../kernel/clock.ts'
import type { LiveRoom } from './live-room.ts'

interface IdleDeps {
  clock: Clock
  /** The rooms that are open here. */
  rooms: ReadonlyMap<string, LiveRoom>
  rest(roomId: string, room: LiveRoom): Promise<void>
  onBackgroundError(error: unknown): void
}

const lookEveryMs = 500
/** From the handshake to the seat it is a moment; on a machine that is very busy, a long one. */
const expectedForMs = 10_000

/** Puts rooms to rest that nobody is connected to any more. */
export function createIdleWatch({ clock, rooms, rest, onBackgroundError }: IdleDeps) {
  /** By room: until when somebody who knocked may still come in. */
  const expected = new Map<string, number>()

  function look(): void {
    const now = clock.now()
    for (const [roomId, until] of expected) if (until <= now) expected.delete(roomId)
    for (const [roomId, room] of rooms)
      if (!expected.has(roomId) && room.mayRest()) rest(roomId, room).catch(onBackgroundError)
  }

  const timer = setInterval(look, lookEveryMs)
  timer.unref()
  return {
    /** Somebody is about to come in: the room does not rest before they have had time to. */
    expect: (roomId: string): void => void expected.set(roomId, clock.now() + expectedForMs),
    stop: (): void => clearInterval(timer),
  }
}
