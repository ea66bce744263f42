import { setImmediate as nextTurn } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { AppError } from '../../../kernel/app-error.ts'
import { createTurns } from '../../../kernel/turns.ts'
import type { Blueprint } from '../model/blueprint.ts'
import type { RoomState } from '../model/room-state.ts'
import { actionsPerPage, type RoomRecord, type RoomStore } from '../rooms.store.ts'
import { emptyRoom } from '../rules/opening.ts'
import {
  beginRecording,
  checkpointBefore,
  clampedTo,
  isFull,
  mostCharacters,
  type Point,
  type Recording,
  record,
  stateAt,
} from './recording.ts'

export interface ReplayDeps {
  store: Pick<RoomStore, 'find' | 'load' | 'actionsAfter'>
  blueprintOf(room: RoomRecord): Promise<Blueprint>
}

/** A room of usual length takes up some tens of kilobytes. */
const mostKept = { max: 50, maxSize: 3 * mostCharacters, ttl: 120_000 }
/** Replaying must not keep the rooms that are being played waiting. */
const longestTurnMs = 10
const mostWaiting = 50

export type Replays = ReturnType<typeof createReplays>

/**
 * RM140: plays rooms again from their logs, apart from the rooms themselves. What was read is kept for a while, because
 * whoever watches a room asks for many of its moments.
 */
export function createReplays({ store, blueprintOf }: ReplayDeps) {
  const kept = new LRUCache<string, Recording>({
    ...mostKept,
    sizeCalculation: ({ characters }) => characters + 1,
  })
  const inTurn = createTurns(1, mostWaiting)

  /** As far as the log goes now. */
  async function recordingOf(room: RoomRecord, blueprint: Blueprint): Promise<Recording> {
    // The epoch is raised when somebody is deleted from the room: what was read before must not be shown again.
    const key = `${room.roomId} ${room.epoch}`
    const known = kept.get(key) ?? beginRecording({ number: 0, at: 0, state: emptyRoom(room, blueprint) })
    const recording = await extended(room, blueprint, known)
    kept.set(key, recording)
    return recording
  }

  async function extended(room: RoomRecord, blueprint: Blueprint, known: Recording): Promise<Recording> {
    let recording = known
    let turnBeganAt = performance.now()
    for (;;) {
      if (isFull(recording)) {
        recording.isWhole = false
        return recording
      }
      const page = await store.actionsAfter(room.roomId, recording.last.number)
      if (page.some(({ action }) => action === erased) && recording.isWhole) {
        recording = await afterErasure(room)
        continue
      }
      for (const logged of page) {
        record(recording, logged, blueprint)
        if (performance.now() - turnBeganAt < longestTurnMs) continue
        await nextTurn()
        turnBeganAt = performance.now()
      }
      if (page.length < actionsPerPage) return recording
    }
  }

  /** R48: what somebody did who was deleted is not in the log any more; the snapshot holds the room without them. */
  async function afterErasure({ roomId }: RoomRecord): Promise<Recording> {
    const { snapshot } = await store.load(roomId)
    if (!snapshot) throw new AppError('UNAVAILABLE')
    const [newest] = await store.actionsAfter(roomId, snapshot.seq - 1)
    const at = newest?.at ?? 0
    const from: Point = { number: snapshot.seq, at, state: JSON.parse(snapshot.state) as RoomState }
    return beginRecording(from, [
      {
        number: snapshot.seq,
        at,
        kind: 'erased',
        alias: null,
        componentId: null,
        detail: null,
        state: null,
        entered: false,
        ended: false,
      },
    ])
  }

  async function findRoom(roomId: string): Promise<RoomRecord> {
    const room = await store.find(roomId)
    if (!room) throw new AppError('ROOM_NOT_FOUND', { roomId })
    return room
  }

  return {
    /** Everything that has happened in the room so far. */
    read: (roomId: string): Promise<Recording> =>
      inTurn(async () => {
        const room = await findRoom(roomId)
        return await recordingOf(room, await blueprintOf(room))
      }),
    /** The room after the action with this number; after the newest one if it is not that long. */
    at: (roomId: string, number: number): Promise<Point & { blueprint: Blueprint }> =>
      inTurn(async () => {
        const room = await findRoom(roomId)
        const blueprint = await blueprintOf(room)
        const recording = await recordingOf(room, blueprint)
        const wanted = clampedTo(recording, number)
        const from = checkpointBefore(recording, wanted)
        const log = from.number === wanted ? [] : await store.actionsAfter(roomId, from.number)
        return { ...stateAt(from, log, wanted, blueprint), blueprint }
      }),
  }
}

/** What takes the place of an action of somebody who was deleted. */
const erased = JSON.stringify({ type: 'erased' })
