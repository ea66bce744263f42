import { randomBytes } from 'node:crypto'
import type { RoomPage } from '@atrium/contract'
import { LRUCache } from 'lru-cache'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import { createGroupCommit } from '../events/index.ts'
import type { Experiments } from '../experiments/index.ts'
import { createPassing } from './live/in-passing.ts'
import { createLiveRoom, type LiveRoom, type LiveRoomParts } from './live/live-room.ts'
import { readRoom } from './live/read-room.ts'
import { createIdleWatch } from './live/rest-idle.ts'
import { RoomRested } from './live/resting.ts'
import { weightOfAppend } from './live/room-append.ts'
import { createRoomSnapshots } from './live/room-snapshots.ts'
import { type Blueprint, compileBlueprint } from './model/blueprint.ts'
import type { RoomAction } from './model/room-action.ts'
import { isOpen, type RoomState } from './model/room-state.ts'
import type { Emitted } from './model/turn.ts'
import { listRooms, type RoomQuery } from './reports/room-list.ts'
import type { ClaimedRoom, CompletedMember, Creation, NewRoom, RoomRecord, RoomStore } from './rooms.store.ts'

export interface RoomParts {
  store: RoomStore
  experiments: Experiments
  clock: Clock
  podId: string
  /**
   * The living instance that has the room, or is to have it, when it is another one. `stored` reads what the database has of
   * it: who held it last, for how many people it needs a place, and whether it is asleep. Undefined when it is over.
   */
  ownerElsewhere(
    roomId: string,
    stored: () => Promise<{ podId: string; people: number; isAsleep: boolean } | undefined>,
  ): Promise<string | undefined>
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
  /** The room is at rest: no instance holds it. */
  rested?(roomId: string): void
}

/** It has a place on another instance, and is opened by whoever comes to it there. */
function unlessElsewhere(error: unknown): void {
  if (!(error instanceof AppError && error.code === 'ROOM_ELSEWHERE')) throw error
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
  /** Those of them that are ready. */
  const ready = new Map<string, LiveRoom>()
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

  type Hooks = Pick<LiveRoomParts, 'onEmitted' | 'onLost' | 'isAsleep'>

  /** A room that was claimed, as its log has it and as the time is now; its clock does not run yet. */
  async function bringBack(claimed: ClaimedRoom, hooks: Hooks): Promise<LiveRoom> {
    const { roomId, epoch } = claimed
    const blueprint = await blueprintOf(claimed)
    const { state, seq, skipped, snapshot } = await readRoom(store, claimed, blueprint)
    if (skipped)
      parts.warn({ roomId, ...skipped }, 'actions in the log of a room no longer apply; they are left out')
    const live = createLiveRoom(
      {
        ...{ blueprint, clock, epoch, append: commits.add, rest: store.rest },
        firstAnswer: (actor, actionId) => store.firstAnswer(roomId, actor, actionId),
        onKept: snapshots.follow(roomId, epoch, snapshot),
        onTickFailed: (error, failures) =>
          parts.warn(
            { err: error, roomId, failures },
            'the clock of a room could not be kept; it is tried again',
          ),
        ...hooks,
        isAsleep: true,
      },
      state,
      seq,
    )
    try {
      await begin(live, claimed, seq)
      await hear(live, claimed.completed)
    } catch (error) {
      live.stop()
      throw error
    }
    return live
  }

  /** Takes the room, under a new epoch, and brings it back from its log; its clock runs again from here. */
  async function restore(roomId: string, self: () => Promise<LiveRoom>): Promise<LiveRoom> {
    await passing.settled(roomId)
    const owner = await parts.ownerElsewhere(roomId, async () => {
      const room = await store.find(roomId)
      if (!room || room.closedAt !== null) return undefined
      return { podId: room.podId, people: room.members.length, isAsleep: room.isAsleep }
    })
    if (owner !== undefined) throw new AppError('ROOM_ELSEWHERE', { podId: owner })
    const claimed = await store.claim(roomId, podId, randomBytes(12).toString('base64url'))
    if (!claimed) throw new AppError('ROOM_NOT_FOUND', { roomId })
    const live = await bringBack(claimed, {
      onEmitted: (room, emitted) => {
        tell((listener) => listener.emitted?.(room, emitted))
        if (room.status.kind === 'ended') retire(roomId, self())
      },
      onLost: () => evict(roomId, self()),
    })
    try {
      if (live.state().status.kind !== 'ended')
        await Promise.all(listeners.map((listener) => listener.taken?.(live.state())))
    } catch (error) {
      live.stop()
      throw error
    }
    live.wake()
    return live
  }

  async function begin(live: LiveRoom, claimed: ClaimedRoom, seq: number): Promise<void> {
    const { members, agents, seed, ordinal } = claimed
    if (seq === 0) await live.dispatch({ type: 'opened', members, agents, seed, ordinal })
    else if (claimed.wasAsleep) await live.catchUp()
    else if (live.state().status.kind !== 'ended') await live.dispatch({ type: 'restored' })
  }

  /** RM79: of those who have completed, whoever has a seat here that is still theirs gives it up. */
  async function hear(live: LiveRoom, completed: readonly CompletedMember[]): Promise<void> {
    for (const { participantId, outcome } of completed)
      if (live.state().seats.some((seat) => seat.participantId === participantId && isOpen(seat)))
        await live.dispatch({ type: 'completed', participantId, outcome })
  }

  const passing = createPassing({
    ...{ store, clock, onBackgroundError: parts.onBackgroundError },
    bringBack: (claimed) =>
      bringBack(claimed, {
        onEmitted: (room, emitted) => tell((listener) => listener.emitted?.(room, emitted)),
        // Somebody has woken it meanwhile, and catches up with the clock as we do.
        onLost: () => undefined,
      }),
  })

  const idle = createIdleWatch({
    ...{ clock, rooms: ready, onBackgroundError: parts.onBackgroundError },
    async rest(roomId, room) {
      const self = open.get(roomId)
      const outcome = await room.rest()
      if (outcome === 'closed') await hear(room, await store.completedIn(roomId))
      if (outcome === 'resting' && open.get(roomId) === self && forget(roomId))
        tell((listener) => listener.rested?.(roomId))
    },
  })

  function forget(roomId: string): boolean {
    ready.delete(roomId)
    return open.delete(roomId)
  }

  /** The room as it is, without taking it: looking at a room must not move it here from another instance. */
  async function look(roomId: string): Promise<RoomState> {
    const here = held(roomId)
    if (here) return (await here).state()
    const room = await store.find(roomId)
    if (!room) throw new AppError('ROOM_NOT_FOUND', { roomId })
    return (await readRoom(store, room, await blueprintOf(room))).state
  }

  /** The same, and which instance holds it; null while none does. */
  async function locate(roomId: string): Promise<{ state: RoomState; podId: string | null }> {
    const here = held(roomId)
    if (here) {
      const state = (await here).state()
      return { state, podId: state.status.kind === 'ended' ? null : podId }
    }
    const room = await store.find(roomId)
    const state = await look(roomId)
    return { state, podId: !room || room.isAsleep || room.closedAt !== null ? null : room.podId }
  }

  const held = (roomId: string): Promise<LiveRoom> | undefined => open.get(roomId) ?? ended.get(roomId)

  function retire(roomId: string, room: Promise<LiveRoom>): void {
    if (open.get(roomId) !== room) return
    forget(roomId)
    ended.set(roomId, room)
    tell((listener) => listener.ended?.(roomId))
  }

  /** Only this very room: when it has been opened again since, that one is sound, and so are its connections. */
  function evict(roomId: string, room: Promise<LiveRoom>): void {
    if (held(roomId) !== room) return
    forget(roomId)
    ended.delete(roomId)
    tell((listener) => listener.lost?.(roomId))
  }

  function live(roomId: string): Promise<LiveRoom> {
    const known = held(roomId)
    if (known) return known
    const opening: Promise<LiveRoom> = restore(roomId, () => opening)
    open.set(roomId, opening)
    opening.then(
      (room) => {
        if (room.state().status.kind === 'ended') retire(roomId, opening)
        else if (open.get(roomId) === opening) ready.set(roomId, room)
      },
      // Unless it has been opened again since.
      () => open.get(roomId) === opening && forget(roomId),
    )
    return opening
  }

  /** On the room, opened if need be. Should it be put to rest at this very moment, it is opened again. */
  async function onLive<Done>(roomId: string, act: (room: LiveRoom) => Promise<Done>): Promise<Done> {
    for (;;) {
      const room = await live(roomId)
      try {
        return await act(room)
      } catch (error) {
        if (!(error instanceof RoomRested)) throw error
      }
    }
  }

  return {
    live,
    look,
    /** What somebody in the room is to complete with, if that is decided. */
    decided: async (roomId: string, participantId: string): Promise<string | undefined> =>
      (await look(roomId)).seats.find((seat) => seat.participantId === participantId)?.outcome ?? undefined,
    locate,
    /** The room if this instance holds it; unlike `live` this never takes it from another. */
    held,
    list: (experimentId: string, query: RoomQuery): Promise<RoomPage> =>
      listRooms({ store, experiments, clock }, experimentId, query),
    listen: (listener: RoomListener): void => void listeners.push(listener),
    /** Makes a room on this instance for people who have joined and wait; it is there, durably, when this resolves. */
    async create(room: RoomToMake): Promise<Creation> {
      const creation = await store.create({ ...room, podId, now: clock.now() })
      if (creation.kind === 'created') await live(room.roomId).catch(unlessElsewhere)
      return creation
    },
    /** RM78: what a researcher does to a room that is asleep does not wake it. */
    async dispatch(roomId: string, action: RoomAction): Promise<number> {
      const passed =
        'by' in action && !held(roomId)
          ? // Somebody may wake it at this moment: then it is done where the room is now.
            await passing.through(roomId, (room) => room.dispatch(action)).catch(unlessElsewhere)
          : undefined
      return passed ? passed.done : await onLive(roomId, (room) => room.dispatch(action))
    },
    /** Somebody is at the door: the room is woken for them, and stays awake until they have had time to come in. */
    async knock(roomId: string): Promise<void> {
      idle.expect(roomId)
      await live(roomId)
    },
    /** Connected from now on; the room that they are in. */
    enter: async (roomId: string, participantId: string): Promise<LiveRoom> =>
      await onLive(roomId, async (room) => {
        await room.dispatch({ type: 'connected', participantId })
        return room
      }),
    /** RM77: the deadlines of a room at rest that have come. */
    passTime: async (roomId: string): Promise<void> =>
      void (await passing.through(roomId, async () => undefined)),
    /** RM79: somebody has completed, on whichever instance; if they have a seat here, the room is told. */
    completed(member: CompletedMember): void {
      for (const room of open.values()) room.then((live) => hear(live, [member])).catch(() => undefined) // Whoever opens the room next reads of it.
    },
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
    async stop(): Promise<void> {
      idle.stop()
      await passing.stop()
      for (const room of await Promise.allSettled(open.values()))
        if (room.status === 'fulfilled') room.value.stop()
      await commits.drain()
      await snapshots.stop()
    },
  }
}
