import { type LiveRoom, maxLiveRooms } from '@atrium/contract'
import { LRUCache } from 'lru-cache'
import { createTurns } from '../../../kernel/turns.ts'
import { readRoom, replayLog } from '../live/read-room.ts'
import type { Blueprint } from '../model/blueprint.ts'
import type { RoomState, Seat } from '../model/room-state.ts'
import { placeIn } from '../replay/moment.ts'
import { actionsPerPage, type OpenRoom, type RoomRecord, type RoomStore } from '../rooms.store.ts'

interface LiveRoomsDeps {
  store: RoomStore
  /** The room, if this instance holds it. */
  held(roomId: string): Promise<{ state(): RoomState }> | undefined
  blueprintOf(room: Pick<RoomRecord, 'experimentId' | 'revision' | 'stage'>): Promise<Blueprint>
}

/** What was read of a room that another instance holds: the next look reads only what is new. */
interface Glimpse {
  seq: number
  state: RoomState
}

export interface SeenRoom {
  room: OpenRoom
  report: LiveRoom
  /** What each is called; empty while nobody is there. */
  aliases: ReadonlyMap<string, string>
}

const readAtOnce = 4
/** A state is some kilobytes; long chats make some of them larger. */
const maxGlimpses = 2 * maxLiveRooms

/** RM143: where the open rooms of an experiment are, the newest first. */
export function createLiveRooms({ store, held, blueprintOf }: LiveRoomsDeps) {
  const glimpses = new LRUCache<string, Glimpse>({ max: maxGlimpses, ttl: 60_000 })
  const inTurn = createTurns(readAtOnce)

  /** Of a room that another instance holds; undefined if it has ended since it was listed. */
  async function glimpse({ roomId, epoch, lastSeq }: OpenRoom, blueprint: Blueprint) {
    // Raised when somebody is deleted from the room: what was read before must not be shown again.
    const key = `${roomId} ${epoch}`
    const known = glimpses.get(key)
    if (known && known.seq >= lastSeq) return known.state
    return await inTurn(async () => {
      const found = (await looked(roomId, blueprint, known)) ?? (await readWhole(roomId, blueprint))
      if (found) glimpses.set(key, found)
      return found?.state
    })
  }

  /** Undefined when so much has happened that reading the room anew is no more work. */
  async function looked(roomId: string, blueprint: Blueprint, known: Glimpse | undefined) {
    if (!known) return undefined
    const page = await store.actionsAfter(roomId, known.seq)
    if (page.length === actionsPerPage) return undefined
    const { state } = await replayLog(known.state, page, blueprint)
    return { seq: page.at(-1)?.seq ?? known.seq, state }
  }

  async function readWhole(roomId: string, blueprint: Blueprint): Promise<Glimpse | undefined> {
    const room = await store.find(roomId)
    if (!room) return undefined
    const { seq, state } = await readRoom(store, room, blueprint)
    return { seq, state }
  }

  async function look(experimentId: string, room: OpenRoom): Promise<SeenRoom> {
    if (!isPlayed(room)) return atRest(room)
    const blueprint = await blueprintOf({ experimentId, revision: room.revision, stage: room.stage })
    const here = held(room.roomId)
    const state = here ? (await here).state() : await glimpse(room, blueprint)
    return state ? seen(room, state, blueprint) : atRest(room)
  }

  return async (experimentId: string): Promise<{ rooms: SeenRoom[]; hasMoreRooms: boolean }> => {
    const open = await store.open(experimentId, maxLiveRooms + 1)
    const rooms = await Promise.all(open.slice(0, maxLiveRooms).map((room) => look(experimentId, room)))
    return { rooms, hasMoreRooms: open.length > maxLiveRooms }
  }
}

const isPlayed = ({ ordinal, restingSince }: OpenRoom): boolean => ordinal !== null && restingSince === null

const atRest = (room: OpenRoom): SeenRoom => ({
  room,
  aliases: new Map(),
  report: {
    roomId: room.roomId,
    position: room.ordinal,
    status: room.pausedAt === null ? 'running' : 'paused',
    resting: true,
    state: null,
    enteredAt: null,
    deadlineAt: null,
    seats: [],
  },
})

function seen(open: OpenRoom, room: RoomState, blueprint: Blueprint): SeenRoom {
  const { seats, mediators = [] } = room
  // Whoever is alone moves at their own pace, and so does the room.
  const flow = room.flow ?? (seats.length === 1 ? (seats[0]?.flow ?? null) : null)
  const state = placeIn(room, blueprint, flow)
  return {
    room: open,
    aliases: new Map([...seats, ...mediators].map(({ participantId, alias }) => [participantId, alias])),
    report: {
      roomId: open.roomId,
      position: room.ordinal,
      status: room.status.kind,
      resting: false,
      state,
      enteredAt: state && flow ? flow.enteredAt : null,
      deadlineAt: state && flow ? flow.deadlineAt : null,
      seats: seats.map((seat) => ({ ...seatOf(seat), state: flow ? null : nameIn(room, blueprint, seat) })),
    },
  }
}

const seatOf = ({ alias, status, presence }: Seat) => ({
  alias,
  status,
  presence: presence.kind,
  awaySince: presence.kind === 'away' ? presence.since : null,
})

function nameIn(room: RoomState, blueprint: Blueprint, { flow }: Seat): string | null {
  const place = placeIn(room, blueprint, flow)
  return place && (place.name ?? place.id)
}
