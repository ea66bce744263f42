import { randomBytes } from 'node:crypto'
import type { RoomPage } from '@atrium/contract'
import { LRUCache } from 'lru-cache'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import { createGroupCommit } from '../events/index.ts'
import type { Experiments } from '../experiments/index.ts'
import { type Blueprint, compileBlueprint } from './blueprint.ts'
import { createLiveRoom, type LiveRoom } from './live-room.ts'
import { readRoom } from './read-room.ts'
import type { RoomAction } from './room-action.ts'
import { weightOfAppend } from './room-append.ts'
import { listRooms, type RoomQuery } from './room-list.ts'
import { createRoomSnapshots } from './room-snapshots.ts'
import type { RoomState } from './room-state.ts'
import type { Creation, NewRoom, RoomRecord, RoomStore } from './rooms.store.ts'
import type { Emitted } from './turn.ts'

export interface RoomParts {
  store: RoomStore
  experiments: Experiments
  clock: Clock
  podId: string
  /** The living instance that has the room, when it is another one. */
  ownerElsewhere(roomId: string): Promise<string | undefined>
  onBackgroundError(error: unknown): void
  /** For whoever runs the server: a sentence that is always the same, and the facts. */
  warn(facts: Record<string, unknown>, message: string): void
}

export type RoomToMake = Omit<NewRoom, 'podId' | 'now'>

export interface RoomListener {
  emitted?(room: RoomState, emitted: Emitted[]): void
  /** Everyone who is connected to the room here must connect again. */
  lost?(roomId: string): void
  /** This instance holds the room from now on. */
  taken?(room: RoomState): Promise<void>
  /** The room has ended. */
  ended?(roomId: string): void
}

/** By weight as well, as for events: a group that one participant has made heavy would be too slow for all of it. */
const groups = { mostItems: 256, mostWeight: 1_048_576, weightOf: weightOfAppend }
const restoredAtOnce = 8
const mostEndedRooms = 200

export type Rooms = ReturnType<typeof createRooms>

/** The rooms that this instance holds. */
export function createRooms(parts: RoomParts) {
  const { store, experiments, clock, podId } = parts
  const commits = createGroupCommit(store.append, groups)
  const snapshots = createRoomSnapshots({
    save: store.saveSnapshot,
    onFailed: (error, roomId) =>
      parts.warn({ err: error, roomId }, 'a snapshot of a room could not be written; its log is whole'),
  })
  const open = new Map<string, Promise<LiveRoom>>()
  /** Rooms that have ended are still asked for a while. */
  const ended = new LRUCache<string, Promise<LiveRoom>>({ max: mostEndedRooms })
  const blueprints = new LRUCache<string, Blueprint>({ max: 200 })
  const listeners: RoomListener[] = []

  async function blueprintOf({ experimentId, revision }: RoomRecord): Promise<Blueprint> {
    const key = `${experimentId} ${revision}`
    const blueprint =
      blueprints.get(key) ?? compileBlueprint(await experiments.definition(experimentId, revision))
    blueprints.set(key, blueprint)
    return blueprint
  }

  /** Each for itself: what one cannot take is no reason to leave out the others. */
  function tell(say: (listener: RoomListener) => void): void {
    for (const listener of listeners)
      try {
        say(listener)
      } catch (error) {
        parts.onBackgroundError(error)
      }
  }

  /** Takes the room, under a new epoch, and brings it back from its log; its clock runs again from here. */
  async function restore(roomId: string, self: () => Promise<LiveRoom>): Promise<LiveRoom> {
    const owner = await parts.ownerElsewhere(roomId)
    if (owner !== undefined) throw new AppError('ROOM_ELSEWHERE', { podId: owner })
    const claimed = await store.claim(roomId, podId, randomBytes(12).toString('base64url'))
    if (!claimed) throw new AppError('ROOM_NOT_FOUND', { roomId })
    const blueprint = await blueprintOf(claimed)
    const { state, seq, skipped, snapshot } = await readRoom(store, claimed, blueprint)
    if (skipped)
      parts.warn({ roomId, ...skipped }, 'actions in the log of a room no longer apply; they are left out')
    const live = createLiveRoom(
      {
        blueprint,
        clock,
        epoch: claimed.epoch,
        append: commits.add,
        firstAnswer: (actor, actionId) => store.firstAnswer(roomId, actor, actionId),
        onEmitted: (room, emitted) => {
          tell((listener) => listener.emitted?.(room, emitted))
          if (room.status.kind === 'ended') retire(roomId, self())
        },
        onKept: snapshots.follow(roomId, claimed.epoch, snapshot),
        onLost: () => evict(roomId, self()),
        onTickFailed: (error, failures) =>
          parts.warn(
            { err: error, roomId, failures },
            'the clock of a room could not be kept; it is tried again',
          ),
      },
      state,
      seq,
    )
    try {
      await begin(live, claimed, seq)
      await Promise.all(listeners.map((listener) => listener.taken?.(live.state())))
    } catch (error) {
      live.stop()
      throw error
    }
    return live
  }

  async function begin(live: LiveRoom, { members, agents, seed, ordinal }: RoomRecord, seq: number) {
    if (seq === 0) await live.dispatch({ type: 'opened', members, agents, seed, ordinal })
    else if (live.state().status.kind !== 'ended') await live.dispatch({ type: 'restored' })
  }

  /** The room as it is, without taking it: looking at a room must not move it here from another instance. */
  async function look(roomId: string): Promise<RoomState> {
    const here = held(roomId)
    if (here) return (await here).state()
    const room = await store.find(roomId)
    if (!room) throw new AppError('ROOM_NOT_FOUND', { roomId })
    return (await readRoom(store, room, await blueprintOf(room))).state
  }

  const held = (roomId: string): Promise<LiveRoom> | undefined => open.get(roomId) ?? ended.get(roomId)

  function retire(roomId: string, room: Promise<LiveRoom>): void {
    if (open.get(roomId) !== room) return
    open.delete(roomId)
    ended.set(roomId, room)
    tell((listener) => listener.ended?.(roomId))
  }

  /** Only this very room: when it has been opened again since, that one is sound, and so are its connections. */
  function evict(roomId: string, room: Promise<LiveRoom>): void {
    if (held(roomId) !== room) return
    open.delete(roomId)
    ended.delete(roomId)
    tell((listener) => listener.lost?.(roomId))
  }

  function live(roomId: string): Promise<LiveRoom> {
    const known = held(roomId)
    if (known) return known
    const opening: Promise<LiveRoom> = restore(roomId, () => opening)
    open.set(roomId, opening)
    opening.then(
      (room) => room.state().status.kind === 'ended' && retire(roomId, opening),
      // Unless it has been opened again since.
      () => open.get(roomId) === opening && open.delete(roomId),
    )
    return opening
  }

  return {
    live,
    look,
    /** What somebody in the room is to complete with, if that is decided. */
    decided: async (roomId: string, participantId: string): Promise<string | undefined> =>
      (await look(roomId)).seats.find((seat) => seat.participantId === participantId)?.outcome ?? undefined,
    /** The room if this instance holds it; unlike `live` this never takes it from another. */
    held,
    list: (experimentId: string, query: RoomQuery): Promise<RoomPage> =>
      listRooms({ store, experiments, clock }, experimentId, query),
    listen: (listener: RoomListener): void => void listeners.push(listener),
    /** Makes a room on this instance for people who have joined and wait; it is there, durably, when this resolves. */
    async create(room: RoomToMake): Promise<Creation> {
      const creation = await store.create({ ...room, podId, now: clock.now() })
      if (creation.kind === 'created') await live(room.roomId)
      return creation
    },
    dispatch: async (roomId: string, action: RoomAction): Promise<number> =>
      (await live(roomId)).dispatch(action),
    /** After a restart: the clocks of the rooms that this instance held run again. */
    async restoreAll(): Promise<void> {
      const ids = await store.openRoomsOf(podId)
      const restoreNext = async (): Promise<void> => {
        for (let id = ids.pop(); id !== undefined; id = ids.pop())
          await live(id).catch(parts.onBackgroundError)
      }
      await Promise.all(Array.from({ length: restoredAtOnce }, restoreNext))
    },
    /** The room is another instance's: nothing more is done to it here, and whoever is connected must go there. */
    drop(roomId: string): void {
      open.get(roomId)?.then(
        (room) => room.lose('elsewhere'),
        () => undefined,
      )
    },
    /** All of them, because others may take them now. */
    dropAll(): void {
      for (const roomId of [...open.keys()]) this.drop(roomId)
    },
    count: (): number => open.size,
    async stop(): Promise<void> {
      for (const room of await Promise.allSettled(open.values()))
        if (room.status === 'fulfilled') room.value.stop()
      await commits.drain()
      await snapshots.stop()
    },
  }
}
