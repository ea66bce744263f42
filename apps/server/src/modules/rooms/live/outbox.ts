import type { TurnShare } from '../../../kernel/turn-share.ts'
import { type Emitted, withoutOldTexts } from '../model/room-audience.ts'

interface Waiting {
  /** Of one action each, in order. */
  actions: (readonly Emitted[])[]
  /** Called once everything has been sent. */
  onSent: (() => void)[]
}

export interface Outbox {
  add(roomId: string, emitted: readonly Emitted[]): void
  /** The room is lost here: whoever was connected gets a snapshot wherever it is opened next. */
  discard(roomId: string): void
  /** Resolves when nothing waits, in the same step: whoever joins then hears nothing that their snapshot has already. */
  whenEmpty(roomId: string): Promise<void>
}

/**
 * Collects what rooms with values in their texts send until the end of the commit that made it durable: when fifty people answer at
 * once, everyone gets their page once and not fifty times. Pages may be long, so what does not fit into one turn of the event
 * loop waits for the next, where newer ones may replace it. Everything else is sent at once.
 */
export function createOutbox(
  send: (roomId: string, emitted: readonly Emitted[]) => void,
  turnShare: Pick<TurnShare, 'isUsedUp'>,
): Outbox {
  const rooms = new Map<string, Waiting>()

  function flush(roomId: string): void {
    const waiting = rooms.get(roomId)
    if (!waiting) return
    waiting.actions = withoutOldTexts(waiting.actions)
    do {
      const emitted = waiting.actions.shift()
      if (emitted) send(roomId, emitted)
    } while (waiting.actions.length > 0 && !turnShare.isUsedUp())
    if (waiting.actions.length > 0) setImmediate(() => flush(roomId))
    else discard(roomId)
  }

  function discard(roomId: string): void {
    const waiting = rooms.get(roomId)
    rooms.delete(roomId)
    for (const onSent of waiting?.onSent ?? []) onSent()
  }

  return {
    add(roomId, emitted) {
      const waiting = rooms.get(roomId)
      if (waiting) waiting.actions.push(emitted)
      else if (!emitted.some(({ event }) => event.type === 'texts')) send(roomId, emitted)
      else {
        rooms.set(roomId, { actions: [emitted], onSent: [] })
        // After the other actions of the commit, and before their acknowledgements.
        queueMicrotask(() => flush(roomId))
      }
    },
    discard,
    async whenEmpty(roomId) {
      for (let waiting = rooms.get(roomId); waiting; waiting = rooms.get(roomId)) {
        const { onSent } = waiting
        await new Promise<void>((resolve) => onSent.push(resolve))
      }
    },
  }
}
