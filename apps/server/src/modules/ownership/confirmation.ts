import { createLoop } from '../../kernel/loop.ts'
import { createTurns } from '../../kernel/turns.ts'
import type { RoomStore, Rooms } from '../rooms/index.ts'

export interface ConfirmationDeps {
  rooms: Pick<Rooms, 'heldIds' | 'held' | 'live' | 'drop' | 'dropAll'>
  store: Pick<RoomStore, 'openRoomsOf'>
  podId: string
  onBackgroundError(error: unknown): void
}

/** A room that another instance has taken is left alone here after this; until then its log refuses us anyway. */
const confirmEveryMs = 500
/** Several statements may fail before people are sent away from rooms that nobody can reopen without the directory. */
const unconfirmedMs = 5_000
const reopenedAtOnce = 8

/**
 * P14: while this instance has no lease, the database says which rooms are still its own. They are played on, and rooms
 * of ours that were lost with a failed write are reopened. If the database does not answer either, nobody knows.
 */
export function createConfirmation({ rooms, store, podId, onBackgroundError }: ConfirmationDeps) {
  const inTurn = createTurns(reopenedAtOnce)
  let isNeeded = false
  let confirmedAt = 0

  async function confirm(): Promise<void> {
    if (!isNeeded) return
    // Read first: a room that is opened while we ask is not in the answer.
    const held = rooms.heldIds()
    try {
      const askedAt = performance.now()
      const ours = await store.openRoomsOf(podId)
      confirmedAt = askedAt
      if (!isNeeded) return
      const confirmed = new Set(ours)
      for (const roomId of held) if (!confirmed.has(roomId)) rooms.drop(roomId)
      const strays = ours.filter((roomId) => !rooms.held(roomId))
      await Promise.all(strays.map((roomId) => inTurn(() => rooms.live(roomId)).catch(onBackgroundError)))
    } catch (error) {
      if (performance.now() - confirmedAt >= unconfirmedMs) rooms.dropAll()
      throw error
    }
  }

  const loop = createLoop(confirmEveryMs, confirm, onBackgroundError)
  return {
    start: loop.start,
    stop: loop.stop,
    /** The lease has lapsed: from now on others may take our rooms. */
    begin(): void {
      isNeeded = true
      confirmedAt = performance.now()
      confirm().catch(onBackgroundError)
    },
    /** We have a lease again. */
    end(): void {
      isNeeded = false
    },
  }
}
