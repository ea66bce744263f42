import { systemClock } from '../../src/kernel/clock.ts'
import { createExperiments } from '../../src/modules/experiments/index.ts'
import { createRooms, type Rooms } from '../../src/modules/rooms/index.ts'
import type { RoomAppend, RoomStore } from '../../src/modules/rooms/rooms.store.ts'
import type { RoomsDeps } from '../../src/modules/rooms/rooms.ts'
import { noQuota } from '../no-quota.ts'
import type { Engine } from '../stores/engines.ts'
import { joined, openExperiment } from '../stores/samples.ts'

const clock = systemClock
const talking = { states: [{ id: 'talk', components: [{ id: 'chat', type: 'chat' }] }] }

const failOnBackgroundError = (error: unknown) => {
  throw error
}

/** Room modules on a real database, without a server. */
export function heldRoomsOn(engine: () => Engine) {
  /** The store is a proxy whose methods cannot be enumerated, so they are listed here. */
  const storeWith = (changed: Partial<RoomStore>): RoomStore => {
    const { create, claim, claimAsleep, rest, append, firstAnswer, saveSnapshot } = engine().database.rooms
    const { formerPartners, find, list, load, actionsAfter, orphans, openRoomsOf } = engine().database.rooms
    const { departures, metadataOf, variablesOf, due, countAwake, open, wordsAfter } = engine().database.rooms
    const { assignCondition } = engine().database.rooms
    const reading = { formerPartners, find, list, open, wordsAfter, load, actionsAfter, orphans, openRoomsOf }
    const resting = { claimAsleep, rest, departures, metadataOf, variablesOf, due, countAwake }
    return {
      create,
      claim,
      assignCondition,
      append,
      firstAnswer,
      saveSnapshot,
      ...reading,
      ...resting,
      ...changed,
    }
  }

  const held = {
    storeWith,
    /** A store that refuses the actions for which this is true. */
    storeRefusing(isRefused: (append: RoomAppend) => boolean, failure: Error): RoomStore {
      const { rooms } = engine().database
      return storeWith({
        append: async (appends) => {
          if (appends.some(isRefused)) throw failure
          return await rooms.append(appends)
        },
      })
    },
    instance(podId: string, store = engine().database.rooms, more: Partial<RoomsDeps> = {}): Rooms {
      const experiments = createExperiments({
        store: engine().database.experiments,
        clock,
        filled: async (definition) => definition,
      })
      return createRooms({
        // Each instance believes that it is the only one.
        ownerElsewhere: async () => undefined,
        onBackgroundError: failOnBackgroundError,
        warn: (facts, message) => failOnBackgroundError(new Error(`${message} ${JSON.stringify(facts)}`)),
        store,
        experiments,
        clock,
        podId,
        quota: noQuota,
        ...more,
      })
    },
    async newRoom(definition: Parameters<typeof openExperiment>[1] = talking) {
      const experimentId = await openExperiment(engine().database, definition)
      const now = clock.now()
      const { roomId, participantId } = await joined(engine().database, experimentId, {
        now,
        expiresAt: now + 60_000,
      })
      if (roomId === null) throw new Error('a solo participant gets a room at once')
      const say = (text: string) => ({ type: 'send_message' as const, participantId, actionId: text, text })
      return { roomId, participantId, say }
    },
    logOf: async (roomId: string) =>
      await engine().rows(
        `select seq, epoch, action_id from room_actions where room_id = '${roomId}' order by seq`,
      ),
    async saidIn(roomId: string): Promise<unknown[]> {
      return (await held.logOf(roomId)).flatMap(({ action_id }) => action_id ?? [])
    },
  }
  return held
}

export const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : error
