import { setImmediate as nextTurn } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { AppError } from '../../../kernel/app-error.ts'
import { createFairTurns } from '../../../kernel/fair-turns.ts'
import type { Blueprint } from '../model/blueprint.ts'
import type { RoomState } from '../model/room-state.ts'
import { actionsPerPage, type RoomRecord, type RoomStore } from '../rooms.store.ts'
import { emptyRoom } from '../rules/opening.ts'
import {
  beginRecording,
  checkpointBefore,
  clampedTo,
  isCut,
  isErased,
  isFull,
  maxCharacters,
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
const maxKept = { max: 50, maxSize: 3 * maxCharacters, ttl: 120_000 }
/** Replaying must not keep the rooms that are being played waiting. */
const longestTurnMs = 10
/** Then somebody else's room is played again: a log of costly actions takes minutes. */
const longestShareMs = 1_000
const maxWaiting = 50

export interface Replays {
  /** Everything that has happened in the room so far. Researchers take turns. */
  read(roomId: string, actor: string): Promise<Recording>
  /** The room after the action with this number; after the newest one if it is not that long. */
  at(roomId: string, number: number, actor: string): Promise<Point & { blueprint: Blueprint }>
}

/**
 * RM140: plays rooms again from their logs, apart from the rooms themselves. What was read is kept for a while, because
 * whoever watches a room asks for many of its moments.
 */
export function createReplays({ store, blueprintOf }: ReplayDeps): Replays {
  const kept = new LRUCache<string, Recording>({
    ...maxKept,
    sizeCalculation: ({ characters }) => characters + 1,
  })
  const inTurn = createFairTurns(maxWaiting)

  /** As far as the log goes now. Each turn continues where the one before it, of whoever, has stopped. */
  async function recordingOf(roomId: string, actor: string) {
    let last: { key: string; recording: Recording } | undefined
    for (;;) {
      const turn = await inTurn(actor, async () => {
        const room = await findRoom(store, roomId)
        const blueprint = await blueprintOf(room)
        // The epoch is raised when somebody is deleted from the room: what was read before must not be shown again.
        const key = `${room.roomId} ${room.epoch}`
        const own = last?.key === key ? last.recording : undefined
        const begun = () => beginRecording({ number: 0, at: 0, state: emptyRoom(room, blueprint) })
        const extension = await extended(store, room, blueprint, kept.get(key) ?? own ?? begun())
        kept.set(key, extension.recording)
        return { key, blueprint, ...extension }
      })
      if (turn.isDone) return turn
      last = turn
    }
  }

  return {
    read: async (roomId, actor) => (await recordingOf(roomId, actor)).recording,
    async at(roomId, number, actor) {
      const { recording, blueprint } = await recordingOf(roomId, actor)
      const wanted = clampedTo(recording, number)
      const from = checkpointBefore(recording, wanted)
      if (from.number === wanted) return { ...from, blueprint }
      return await inTurn(actor, async () => {
        const breathe = createBreaks()
        let point = from
        for (const logged of await store.actionsAfter(roomId, from.number)) {
          point = stateAt(point, [logged], wanted, blueprint)
          await breathe()
        }
        return { ...point, blueprint }
      })
    },
  }
}

type Store = ReplayDeps['store']

async function extended(store: Store, room: RoomRecord, blueprint: Blueprint, known: Recording) {
  const [breathe, startedAt] = [createBreaks(), performance.now()]
  let recording = known
  for (;;) {
    if (isFull(recording)) {
      recording.isWhole = false
      return { recording, isDone: true }
    }
    const page = await store.actionsAfter(room.roomId, recording.last.number)
    if (page.some((logged) => isErased(logged) && logged.replay === null) && recording.isWhole) {
      recording = await afterErasure(store, room)
      continue
    }
    for (const logged of page) {
      if (isCut(logged)) {
        recording.isWhole = false
        return { recording, isDone: true }
      }
      record(recording, logged, blueprint)
      await breathe()
    }
    if (page.length < actionsPerPage) return { recording, isDone: true }
    if (performance.now() - startedAt > longestShareMs) return { recording, isDone: false }
  }
}

/** RM141: of rooms from which an earlier version deleted somebody, only the snapshot is left. */
async function afterErasure(store: Store, { roomId }: RoomRecord): Promise<Recording> {
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

async function findRoom(store: Store, roomId: string): Promise<RoomRecord> {
  const room = await store.find(roomId)
  if (!room) throw new AppError('ROOM_NOT_FOUND', { roomId })
  return room
}

/** Lets everything else happen whenever this has worked for a while. */
function createBreaks(): () => Promise<void> {
  let turnBeganAt = performance.now()
  return async () => {
    if (performance.now() - turnBeganAt < longestTurnMs) return
    await nextTurn()
    turnBeganAt = performance.now()
  }
}
