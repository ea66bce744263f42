import type { LiveRoom } from '@atrium/contract'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../../kernel/clock.ts'
import { createTurns } from '../../../kernel/turns.ts'
import { readRoom, replayLog } from '../live/read-room.ts'
import type { Blueprint } from '../model/blueprint.ts'
import type { RoomState, Seat } from '../model/room-state.ts'
import { placeIn } from '../replay/moment.ts'
import { actionsPerPage, type ListedRoom, type RoomRecord, type RoomStore } from '../rooms.store.ts'

interface LiveRoomsDeps {
  store: RoomStore
  clock: Clock
  /** The room, if this instance holds it. */
  held(roomId: string): Promise<{ state(): RoomState }> | undefined
  blueprintOf(room: RoomRecord): Promise<Blueprint>
}

/** What was read of a room that another instance holds: the next look reads only what is new. */
interface Glimpse {
  seq: number
  state: RoomState
}

const mostRooms = 50
const readAtOnce = 4
/** A state is some kilobytes; long chats make some of them larger. */
const mostGlimpses = 200

/** RM143: where the open rooms of an experiment are, the newest first. */
export function createLiveRooms({ store, clock, held, blueprintOf }: LiveRoomsDeps) {
  const glimpses = new LRUCache<string, Glimpse>({ max: mostGlimpses, ttl: 60_000 })
  const inTurn = createTurns(readAtOnce)

  async function stateOf(room: RoomRecord, blueprint: Blueprint): Promise<RoomState> {
    const here = held(room.roomId)
    if (here) return (await here).state()
    // Raised when somebody is deleted from the room: what was read before must not be shown again.
    const key = `${room.roomId} ${room.epoch}`
    const glimpse =
      (await looked(room, blueprint, glimpses.get(key))) ?? (await readRoom(store, room, blueprint))
    glimpses.set(key, { seq: glimpse.seq, state: glimpse.state })
    return glimpse.state
  }

  /** Undefined when so much has happened that reading the room anew is no more work. */
  async function looked(
    { roomId }: RoomRecord,
    blueprint: Blueprint,
    known: Glimpse | undefined,
  ): Promise<Glimpse | undefined> {
    if (!known) return undefined
    const page = await store.actionsAfter(roomId, known.seq)
    if (page.length === actionsPerPage) return undefined
    const { state } = await replayLog(known.state, page, blueprint)
    return { seq: page.at(-1)?.seq ?? known.seq, state }
  }

  async function look(listed: ListedRoom): Promise<LiveRoom> {
    const room = isPlayed(listed) ? await store.find(listed.roomId) : undefined
    if (!room) return atRest(listed)
    const blueprint = await blueprintOf(room)
    return reportLive(listed, await stateOf(room, blueprint), blueprint)
  }

  return async (experimentId: string): Promise<{ rooms: LiveRoom[]; hasMoreRooms: boolean }> => {
    const listing = { experimentId, openOnly: true, before: null, limit: mostRooms + 1, now: clock.now() }
    const listed = await store.list(listing)
    const rooms = await Promise.all(listed.slice(0, mostRooms).map((room) => inTurn(() => look(room))))
    return { rooms, hasMoreRooms: listed.length > mostRooms }
  }
}

const isPlayed = ({ ordinal, restingSince }: ListedRoom): boolean => ordinal !== null && restingSince === null

const atRest = ({ roomId, ordinal, pausedAt }: ListedRoom): LiveRoom => ({
  roomId,
  position: ordinal,
  status: pausedAt === null ? 'running' : 'paused',
  resting: true,
  state: null,
  enteredAt: null,
  deadlineAt: null,
  seats: [],
})

function reportLive({ roomId }: Pick<ListedRoom, 'roomId'>, room: RoomState, blueprint: Blueprint): LiveRoom {
  const state = placeIn(room, blueprint, room.flow)
  return {
    roomId,
    position: room.ordinal,
    status: room.status.kind,
    resting: false,
    state,
    enteredAt: state && room.flow ? room.flow.enteredAt : null,
    deadlineAt: state && room.flow ? room.flow.deadlineAt : null,
    seats: room.seats.map(seatOf),
  }
}

const seatOf = ({ alias, status, presence }: Seat): LiveRoom['seats'][number] => ({
  alias,
  status,
  presence: presence.kind,
  awaySince: presence.kind === 'away' ? presence.since : null,
})
