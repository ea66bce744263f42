import { randomBytes } from 'node:crypto'
import type { RoomPage, ShownPayment } from '@atrium/contract'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Quota } from '../../kernel/quota.ts'
import { createTurns } from '../../kernel/turns.ts'
import type { Experiments } from '../experiments/index.ts'
import { applyCompletions, applyWithdrawals } from './live/departures.ts'
import { createHeldRooms } from './live/held-rooms.ts'
import type { LiveRoom } from './live/live-room.ts'
import { readRoom } from './live/read-room.ts'
import { createIdleWatch, createRestingVisits } from './live/resting.ts'
import { createRoomRestorer, type RoomHooks } from './live/restore-room.ts'
import { createRoomListeners, type RoomListener } from './live/room-listeners.ts'
import type { ForgottenPerson } from './model/forget-person.ts'
import { paidTo } from './model/payment.ts'
import type { RoomAction } from './model/room-action.ts'
import type { RoomState } from './model/room-state.ts'
import { createReplays, type Replays } from './replay/replays.ts'
import { rewriteRoom } from './replay/rewrite-room.ts'
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

/** The room belongs to another instance and is opened there by the first who connects. */
function unlessElsewhere(error: unknown): void {
  if (!(error instanceof AppError && error.code === 'ROOM_ELSEWHERE')) throw error
}

const restoredAtOnce = 8

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
  /** What somebody has earned who ends with this outcome; undefined if it is not paid, or not known. */
  paid(member: { roomId: string; participantId: string; outcome: string }): Promise<ShownPayment | undefined>
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
  /** RM79: a participant has completed, on whichever instance. If their room is held here, it is updated. */
  completed(member: CompletedMember & { roomId?: string }): void
  /** RM97: a participant has withdrawn their consent. Resolves once the room has let them go, if it is held here. */
  withdrawn(member: { roomId?: string; participantId: string }): Promise<void>
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
// Long because it is a list: what may be asked of rooms, a few lines each.
export function createRooms(deps: RoomsDeps): Rooms {
  const { store, experiments, clock, podId } = deps
  const restorer = createRoomRestorer(deps)
  const replays = createReplays({ store, blueprintOf: restorer.blueprintOf })
  const listeners = createRoomListeners(deps.onBackgroundError)
  const { notify } = listeners

  /** Claims the room under a new epoch, restores it from its log, and starts its clock. */
  async function take(roomId: string, hooks: RoomHooks): Promise<LiveRoom> {
    await restingVisits.whenDone(roomId)
    const owner = await deps.ownerElsewhere(roomId, async () => {
      const room = await store.find(roomId)
      if (!room || room.closedAt !== null) return undefined
      return { podId: room.podId, people: room.members.length, isAsleep: room.isAsleep }
    })
    if (owner !== undefined) throw new AppError('ROOM_ELSEWHERE', { podId: owner })
    const claimed = await store.claim(roomId, podId, randomBytes(12).toString('base64url'))
    if (!claimed) throw new AppError('ROOM_NOT_FOUND', { roomId })
    const live = await restorer.restore(claimed, hooks)
    try {
      if (live.state().status.kind !== 'ended') await listeners.taken(live.state())
    } catch (error) {
      live.stop()
      throw error
    }
    live.wake()
    return live
  }

  const here = createHeldRooms({ take, listeners })
  const { live, held, drop } = here

  const restingVisits = createRestingVisits({
    store,
    clock,
    onBackgroundError: deps.onBackgroundError,
    restore: (claimed) =>
      restorer.restore(claimed, {
        onEmitted: (...news) => notify((listener) => listener.emitted?.(...news)),
        // Somebody woke it in the meantime, and catches up with the clock as we do.
        onLost: () => undefined,
      }),
  })

  const idle = createIdleWatch({
    clock,
    rooms: here.ready,
    onBackgroundError: deps.onBackgroundError,
    async rest(roomId, room) {
      const outcome = await here.rest(roomId, room)
      if (outcome === 'closed') await applyCompletions(room, (await store.departures(roomId)).completed)
    },
  })

  async function read(roomId: string): Promise<RoomState> {
    const room = await held(roomId)
    if (room) return room.state()
    const found = await store.find(roomId)
    if (!found) throw new AppError('ROOM_NOT_FOUND', { roomId })
    return (await readRoom(store, found, await restorer.blueprintOf(found))).state
  }

  return {
    live,
    read,
    async rewrite(roomId, person, keep) {
      await restingVisits.whenDone(roomId)
      return await rewriteRoom({ store, restorer, podId, readAgain: here.readAgain }, roomId, person, keep)
    },
    readAgain: here.readAgain,
    replays,
    watch: createLiveRooms({ store, held, blueprintOf: restorer.blueprintOf }),
    wordsAfter: store.wordsAfter,
    decided: async (roomId, participantId) =>
      (await read(roomId)).seats.find((seat) => seat.participantId === participantId)?.outcome ?? undefined,
    async paid({ roomId, participantId, outcome }) {
      const room = await read(roomId)
      return paidTo(
        room,
        await restorer.blueprintOf({ ...room, stage: room.stage ?? null }),
        participantId,
        outcome,
      )
    },
    async locate(roomId) {
      const room = await held(roomId)
      if (room) {
        const state = room.state()
        return { state, podId: state.status.kind === 'ended' ? null : podId }
      }
      const found = await store.find(roomId)
      const state = await read(roomId)
      return { state, podId: !found || found.isAsleep || found.closedAt !== null ? null : found.podId }
    },
    held,
    heldIds: here.ids,
    list: (experimentId, query) => listRooms({ store, experiments, clock }, experimentId, query),
    listen: listeners.add,
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
      return visited ? visited.result : await here.onLive(roomId, (room) => room.dispatch(action))
    },
    async knock(roomId) {
      idle.expect(roomId)
      await live(roomId)
    },
    enter: async (roomId, participantId, language) =>
      await here.onLive(roomId, async (room) => {
        await room.dispatch({ type: 'connected', participantId, ...(language !== undefined && { language }) })
        return room
      }),
    passTime: async (roomId) => void (await restingVisits.visit(roomId, async () => undefined)),
    completed({ roomId, ...member }) {
      // A failure is safe to ignore: whoever opens the room next reads of the completion.
      for (const room of here.openAs(roomId))
        room.then((live) => applyCompletions(live, [member])).catch(() => undefined)
    },
    async withdrawn({ roomId, participantId }) {
      const told = here.openAs(roomId).map(async (room) => applyWithdrawals(await room, [participantId]))
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
      for (const roomId of here.ids()) drop(roomId)
    },
    figures: restorer.figures,
    async stop() {
      idle.stop()
      await restingVisits.stop()
      for (const room of await Promise.allSettled(here.all()))
        if (room.status === 'fulfilled') room.value.stop()
      await restorer.stop()
    },
  }
}
