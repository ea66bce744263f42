import type { RoomState } from '../model/room-state.ts'
import type { StoredSnapshot } from '../rooms.store.ts'

/** A snapshot costs as much as a few dozen actions, and a restart replays fewer actions than this. */
const actionsPerSnapshot = 200
/** Serialising this much text blocks the event loop for some 50 ms, so it is done less often. */
const heavyLength = 8 * 1_048_576
const actionsPerHeavySnapshot = 2_000

interface Due {
  epoch: number
  seq: number
  state: RoomState
  onWritten(length: number): void
}

interface SnapshotDeps {
  save(snapshot: StoredSnapshot): Promise<void>
  /** The room can still be read from an older snapshot and its log. */
  onFailed(error: unknown, roomId: string): void
}

/**
 * Snapshots only shorten reading a room, and they may be heavy. So they are written after their actions were
 * acknowledged, one at a time, and no action of any room waits for one or fails with one.
 */
export function createRoomSnapshots({ save, onFailed }: SnapshotDeps) {
  /** By room: of several pending states, only the newest is useful. */
  const waiting = new Map<string, Due>()
  let writing: Promise<void> | undefined
  let isStopping = false

  async function write(roomId: string, { epoch, seq, state, onWritten }: Due): Promise<void> {
    try {
      const text = JSON.stringify(state)
      onWritten(text.length)
      await save({ roomId, epoch, seq, state: text })
    } catch (error) {
      onFailed(error, roomId)
      // The store may be unavailable, and a stopping server must not wait for it once per room.
      if (isStopping) waiting.clear()
    }
  }

  async function writeAll(): Promise<void> {
    // Even the first waits for a later turn: the action is acknowledged before its state is serialised.
    await new Promise(setImmediate)
    for (;;) {
      const [next] = waiting
      if (!next) break
      const [roomId, due] = next
      waiting.delete(roomId)
      await write(roomId, due)
    }
    writing = undefined
  }

  return {
    /** Returns a function that is called with each durable state of a room, in order, and decides which to save. */
    follow(roomId: string, epoch: number, last: { seq: number; length: number }) {
      let { seq: lastSeq, length: lastLength } = last
      return (state: RoomState, seq: number): void => {
        const interval = lastLength > heavyLength ? actionsPerHeavySnapshot : actionsPerSnapshot
        if (seq - lastSeq < interval && state.status.kind !== 'ended') return
        lastSeq = seq
        const onWritten = (length: number) => {
          lastLength = length
        }
        waiting.set(roomId, { epoch, seq, state, onWritten })
        writing ??= writeAll()
      }
    },
    async stop(): Promise<void> {
      isStopping = true
      await writing
    },
  }
}
