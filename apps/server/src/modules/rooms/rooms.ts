import { randomBytes } from 'node:crypto'
import type { RoomPage } from '@atrium/contract'
import { LRUCache } from 'lru-cache'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Quota } from '../../kernel/quota.ts'
import { createTurns } from '../../kernel/turns.ts'
import type { Experiments } from '../experiments/index.ts'
import { applyCompletions, applyWithdrawals } from './live/departures.ts'
import { type LiveRoom, RoomRested } from './live/live-room.ts'
import { readRoom } from './live/read-room.ts'
import { createIdleWatch, createRestingVisits } from './live/resting.ts'
import { createRoomRestorer } from './live/restore-room.ts'
import { type ForgottenPerson, forgetPerson } from './model/forget-person.ts'
import type { PlaybackPush } from './model/playback.ts'
import type { RoomAction } from './model/room-action.ts'
import type { Emitted } from './model/room-audience.ts'
import type { RoomState } from './model/room-state.ts'
import { recordWithout } from './replay/record-without.ts'
import { createReplays, type Replays } from './replay/replays.ts'
import { createLiveRooms, type SeenRoom } from './reports/live-rooms.ts'
import { listRooms, type RoomQuery } from './reports/room-list.ts'
import type { CompletedMember, Creation, NewRoom, RewrittenRoom, RoomStore } from './rooms.store.ts'

export interface RoomsDeps {
  store: RoomStore
  experiments: Experiments
  clock: Clock
  podId: string
  /** What a participant and an experiment may store. */
  quota: Quota
  /**
   * The live instance that holds the room, or should hold it, when that is not this one. `stored` reads what the database
   * knows: who held it last, how many people it needs places for, and whether it is asleep. Undefined when it has ended.
   */
  ownerElsewhere(
    roomId: string,
    stored: () => Promise<{ podId: string; people: number; isAsleep: boolean } | undefined>,
  ): Promise<string | undefined>
  onBackgroundError(error: unknown): void
  /** For the log: a constant message, and structured fields. */
  warn(facts: Record<string, unknown>, message: string): void
}

type RoomToMake = Omit<NewRoom, 'podId' | 'now'>

export interface RoomListener {
  emitted?(room: RoomState, emitted: Emitted[], played: PlaybackPush[]): void
  /** Everyone who is connected to the room here must reconnect. */
  lost?(roomId: string): void
  /** This instance holds the room from now on. */
  taken?(room: RoomState): Promise<void>
  /** The room is open here and its clock runs. */
  opened?(room: RoomState): void
  /** The room has ended. */
  ended?(roomId: string): void
  /** The room is at rest: no instance holds it. */
  rested?(roomId: string): void
}

/** The room belongs to another instance and is opened there by the first who connects. */
function unlessElsewhere(error: unknown): void {
  if (!(error instanceof AppError && error.code === 'ROOM_ELSEWHERE')) throw error
}

const restoredAtOnce = 8
const mostEndedRooms = 200

export interface Rooms {
  /** The room, opened here if need be; refuses while another instance holds it. */
  live(roomId: string): Promise<LiveRoom>
  /** The room's state, without claiming it: reading a room must not move it here from another instance. */
  read(roomId: string): Promise<RoomState>
  /**
   * R48: takes the room from whoever holds it, brings it up to date (which lets go whoever has withdrawn) and puts it to
   * rest. `keep` stores it without the person, and fails if somebody has woken it since.
   */
  rewrite<Outcome>(
    roomId: string,
    person: ForgottenPerson,
    keep: (room: RewrittenRoom) => Promise<Outcome>,
  ): Promise<Outcome>
  /** What is held here is no longer what the store has. */
  readAgain(roomId: string): void
  replays: Replays
  /** The open rooms of an experiment and where they are. */
  watch(experimentId: string): Promise<{ rooms: SeenRoom[]; hasMoreRooms: boolean }>
  /** What was said and answered after these places, the newest first. */
  wordsAfter: RoomStore['wordsAfter']
  /** The outcome that a participant is to complete with, if it has been decided. */
  decided(roomId: string, participantId: string): Promise<string | undefined>
  /** The state, and which instance holds the room; null while none does. */
  locate(roomId: string): Promise<{ state: RoomState; podId: string | null }>
  /** The room if this instance holds it; unlike `live`, this never takes it from another. */
  held(roomId: string): Promise<LiveRoom> | undefined
  /** The rooms that this instance holds. */
  heldIds(): string[]
  list(experimentId: string, query: RoomQuery): Promise<RoomPage>
  listen(listener: RoomListener): void
  /** Creates a room on this instance for participants who are waiting; it is durable once this resolves. */
  create(room: RoomToMake): Promise<Creation>
  /** RM78: a researcher's action does not wake a resting room. */
  dispatch(roomId: string, action: RoomAction): Promise<number>
  /** Somebody is connecting: the room is woken, and stays awake until they have had time to come in. */
  knock(roomId: string): Promise<void>
  /** Marks the participant as connected and returns their room. */
  enter(roomId: string, participantId: string, language?: string): Promise<LiveRoom>
  /** RM77: applies the deadlines of a resting room that have passed. */
  passTime(roomId: string): Promise<void>
  /** RM79: a participant has completed, on whichever instance; if they have a seat here, the room is updated. */
  completed(member: CompletedMember): void
  /** RM97: a participant has withdrawn their consent. Resolves once the room has let them go, if it is held here. */
  withdrawn(member: { participantId: string }): Promise<void>
  /** After a restart: opens the rooms that this instance held, so that their clocks run again. */
  restoreAll(): Promise<void>
  /** The room now belongs to another instance: it is left alone here, and its connections must move there. */
  drop(roomId: string): void
  /** Drops every room, because other instances may claim them now. */
  dropAll(): void
  /** What rooms have written into the participants' records. */
  figures(): { recorded: number; commits: number }
  stop(): Promise<void>
}

/** The rooms that this instance holds. */
export function createRooms(deps: RoomsDeps): Rooms {
  const { store, experiments, clock, podId } = deps
  const restorer = createRoomRestorer(deps)
  const replays = createReplays({ store, blueprintOf: restorer.blueprintOf })
  const open = new Map<string, Promise<LiveRoom>>()
  /** Those of them that have finished opening. */
  const ready = new Map<string, LiveRoom>()
  /** Rooms that have ended are still read for a while. */
  const ended = new LRUCache<string, Promise<LiveRoom>>({ max: mostEndedRooms })
  const listeners: RoomListener[] = []

  /** A listener that throws must not keep the others from being called. */
  function notify(call: (listener: RoomListener) => void): void {
    for (const listener of listeners)
      try {
        call(listener)
      } catch (error) {
        deps.onBackgroundError(error)
      }
  }

  /** Claims the room under a new epoch, restores it from its log, and starts its clock. */
  async function takeRoom(roomId: string, self: () => Promise<LiveRoom>): Promise<LiveRoom> {
    await restingVisits.whenDone(roomId)
    const owner = await deps.ownerElsewhere(roomId, async () => {
      const room = await store.find(roomId)
      if (!room || room.closedAt !== null) return undefined
      return { podId: room.podId, people: room.members.length, isAsleep: room.isAsleep }
    })
    if (owner !== undefined) throw new AppError('ROOM_ELSEWHERE', { podId: owner })
    const claimed = await store.claim(roomId, podId, randomBytes(12).toString('base64url'))
    if (!claimed) throw new AppError('ROOM_NOT_FOUND', { roomId })
    const live = await restorer.restore(claimed, {
      onEmitted: (room, emitted, played) => {
        notify((listener) => listener.emitted?.(room, emitted, played))
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

  const restingVisits = createRestingVisits({
    store,
    clock,
    onBackgroundError: deps.onBackgroundError,
    restore: (claimed) =>
      restorer.restore(claimed, {
        onEmitted: (room, emitted, played) => notify((listener) => listener.emitted?.(room, emitted, played)),
        // Somebody woke it in the meantime, and catches up with the clock as we do.
        onLost: () => undefined,
      }),
  })

  const idle = createIdleWatch({
    clock,
    rooms: ready,
    onBackgroundError: deps.onBackgroundError,
    async rest(roomId, room) {
      const self = open.get(roomId)
      const outcome = await room.rest()
      if (outcome === 'closed') await applyCompletions(room, (await store.departures(roomId)).completed)
      if (outcome === 'resting' && open.get(roomId) === self && forget(roomId))
        notify((listener) => listener.rested?.(roomId))
    },
  })

  function forget(roomId: string): boolean {
    ready.delete(roomId)
    return open.delete(roomId)
  }

  async function read(roomId: string): Promise<RoomState> {
    const here = held(roomId)
    if (here) return (await here).state()
    const room = await store.find(roomId)
    if (!room) throw new AppError('ROOM_NOT_FOUND', { roomId })
    return (await readRoom(store, room, await restorer.blueprintOf(room))).state
  }

  async function locate(roomId: string): Promise<{ state: RoomState; podId: string | null }> {
    const here = held(roomId)
    if (here) {
      const state = (await here).state()
      return { state, podId: state.status.kind === 'ended' ? null : podId }
    }
    const room = await store.find(roomId)
    const state = await read(roomId)
    return { state, podId: !room || room.isAsleep || room.closedAt !== null ? null : room.podId }
  }

  const held = (roomId: string): Promise<LiveRoom> | undefined => open.get(roomId) ?? ended.get(roomId)

  function retire(roomId: string, room: Promise<LiveRoom>): void {
    if (open.get(roomId) !== room) return
    forget(roomId)
    ended.set(roomId, room)
    notify((listener) => listener.ended?.(roomId))
  }

  /** Only this one: if the room has been opened again since, that one is sound, and so are its connections. */
  function evict(roomId: string, room: Promise<LiveRoom>): void {
    if (held(roomId) !== room) return
    forget(roomId)
    ended.delete(roomId)
    notify((listener) => listener.lost?.(roomId))
  }

  function live(roomId: string): Promise<LiveRoom> {
    const known = held(roomId)
    if (known) return known
    const opening: Promise<LiveRoom> = takeRoom(roomId, () => opening)
    open.set(roomId, opening)
    opening.then(
      (room) => {
        if (room.state().status.kind === 'ended') retire(roomId, opening)
        else if (open.get(roomId) === opening) {
          ready.set(roomId, room)
          notify((listener) => listener.opened?.(room.state()))
        }
      },
      // Unless it has been opened again since.
      () => open.get(roomId) === opening && forget(roomId),
    )
    return opening
  }

  /** Acts on the room, opening it if necessary. If it is put to rest at this very moment, it is opened again. */
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

  function drop(roomId: string): void {
    open.get(roomId)?.then(
      (room) => room.lose('elsewhere'),
      () => undefined,
    )
  }

  function readAgain(roomId: string): void {
    ended.delete(roomId)
    drop(roomId)
  }

  async function rewrite<Outcome>(
    roomId: string,
    person: ForgottenPerson,
    keep: (room: RewrittenRoom) => Promise<Outcome>,
  ): Promise<Outcome> {
    await restingVisits.whenDone(roomId)
    // Before the room is taken from its holder: this may take seconds, and what is added meanwhile does not.
    const read = recordWithout(store, roomId, person)
    const found = await store.find(roomId)
    if (found) await read.extend(found, await restorer.blueprintOf(found))
    const claimed = await store.claim(roomId, podId, randomBytes(12).toString('base64url'))
    if (!claimed) throw new AppError('ROOM_NOT_FOUND', { roomId })
    readAgain(roomId)
    const blueprint = await restorer.blueprintOf(claimed)
    const room = await restorer.restore(claimed, { onEmitted: () => undefined, onLost: () => undefined })
    try {
      if (room.state().status.kind !== 'ended') await room.rest()
    } finally {
      room.stop()
    }
    const { state, seq } = await readRoom(store, claimed, blueprint)
    // Whoever has held the room since may have deleted somebody else from what was read.
    const recording = claimed.epoch === (found?.epoch ?? 0) + 1 ? read : recordWithout(store, roomId, person)
    await recording.extend(claimed, blueprint)
    const kept = JSON.stringify(forgetPerson(state, person, blueprint, recording.words()))
    return await keep({ roomId, epoch: claimed.epoch, seq, state: kept, replay: recording.rows() })
  }

  return {
    live,
    read,
    rewrite,
    readAgain,
    replays,
    watch: createLiveRooms({ store, held, blueprintOf: restorer.blueprintOf }),
    wordsAfter: store.wordsAfter,
    decided: async (roomId, participantId) =>
      (await read(roomId)).seats.find((seat) => seat.participantId === participantId)?.outcome ?? undefined,
    locate,
    held,
    heldIds: () => [...open.keys()],
    list: (experimentId, query) => listRooms({ store, experiments, clock }, experimentId, query),
    listen: (listener) => void listeners.push(listener),
    async create(room) {
      const creation = await store.create({ ...room, podId, now: clock.now() })
      if (creation.kind === 'created') await live(room.roomId).catch(unlessElsewhere)
      return creation
    },
    async dispatch(roomId, action) {
      const visited =
        'by' in action && !held(roomId)
          ? // Somebody may wake it at this moment; the action is then performed wherever the room is.
            await restingVisits.visit(roomId, (room) => room.dispatch(action)).catch(unlessElsewhere)
          : undefined
      return visited ? visited.result : await onLive(roomId, (room) => room.dispatch(action))
    },
    async knock(roomId) {
      idle.expect(roomId)
      await live(roomId)
    },
    enter: async (roomId, participantId, language) =>
      await onLive(roomId, async (room) => {
        await room.dispatch({ type: 'connected', participantId, ...(language !== undefined && { language }) })
        return room
      }),
    passTime: async (roomId) => void (await restingVisits.visit(roomId, async () => undefined)),
    completed(member) {
      // A failure is safe to ignore: whoever opens the room next reads of the completion.
      for (const room of open.values())
        room.then((live) => applyCompletions(live, [member])).catch(() => undefined)
    },
    async withdrawn({ participantId }) {
      const told = [...open.values()].map(async (room) => applyWithdrawals(await room, [participantId]))
      // A failure is safe to ignore, as above.
      await Promise.allSettled(told)
    },
    async restoreAll() {
      const inTurn = createTurns(restoredAtOnce)
      const ids = await store.openRoomsOf(podId)
      await Promise.all(ids.map((id) => inTurn(() => live(id)).catch(deps.onBackgroundError)))
    },
    drop,
    dropAll() {
      for (const roomId of [...open.keys()]) drop(roomId)
    },
    figures: restorer.figures,
    async stop() {
      idle.stop()
      await restingVisits.stop()
      for (const room of await Promise.allSettled(open.values()))
        if (room.status === 'fulfilled') room.value.stop()
      await restorer.stop()
    },
  }
}
