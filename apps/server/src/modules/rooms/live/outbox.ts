import { type Emitted, withoutOldTexts } from '../model/room-audience.ts'

/**
 * Collects what rooms with values in their texts send until the end of the commit that made it durable: when fifty people answer at
 * once, everyone gets their page once and not fifty times. Everything else is sent at once.
 */
export function createOutbox(send: (roomId: string, emitted: readonly Emitted[]) => void) {
  const waiting = new Map<string, Emitted[]>()

  function flush(roomId: string): void {
    const emitted = waiting.get(roomId)
    waiting.delete(roomId)
    if (emitted) send(roomId, withoutOldTexts(emitted))
  }

  return {
    add(roomId: string, emitted: readonly Emitted[]): void {
      const before = waiting.get(roomId)
      if (before) before.push(...emitted)
      else if (!emitted.some(({ event }) => event.type === 'texts')) send(roomId, emitted)
      else {
        waiting.set(roomId, [...emitted])
        // After the other actions of the commit, and before their acknowledgements.
        queueMicrotask(() => flush(roomId))
      }
    },
    /** What waits goes out now: somebody comes in, who has seen it in their snapshot, or the room is lost here. */
    flush,
  }
}
