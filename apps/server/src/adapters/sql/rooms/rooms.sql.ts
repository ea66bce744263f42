import { sql } from 'kysely'
import {
  actionsPerPage,
  type Member,
  type ReplayableAction,
  type RoomStore,
  type StoredSnapshot,
} from '../../../modules/rooms/rooms.store.ts'
import type { Sql } from '../tables.ts'
import { assignLater, createDesigns } from './assignments.sql.ts'
import { createRoomAppender } from './room-append.sql.ts'
import { createRoom, formerPartners } from './room-create.sql.ts'
import {
  awakeRooms,
  claimRoom,
  countAwake,
  departures,
  dueRooms,
  findRoom,
  metadataOf,
  restRoom,
} from './room-holding.sql.ts'
import { listRooms } from './room-list.sql.ts'
import { createWordReader, openRooms } from './room-live.sql.ts'

/** The others are found once these have an instance again. */
const maxOrphansAtOnce = 500

export const createRoomStore = (store: Sql, designs = createDesigns()): RoomStore => ({
  create: (room) => createRoom(store, room),
  formerPartners: (experimentId, participantIds) => formerPartners(store, experimentId, participantIds),
  find: (roomId) => findRoom(store, roomId),
  list: (listing) => listRooms(store, listing),
  open: (experimentId, limit) => openRooms(store, experimentId, limit),
  wordsAfter: createWordReader(store),
  claim: (roomId, podId, seed) => claimRoom(store, designs, roomId, { kind: 'wake', podId, seed }),
  claimAsleep: (roomId, seed, now) => claimRoom(store, designs, roomId, { kind: 'pass', seed, now }),
  assignCondition: (late) => assignLater(store, designs, late),
  rest: (rest) => restRoom(store, rest),
  departures: (roomId) => departures(store, roomId),
  metadataOf: (roomId) => metadataOf(store, roomId),
  async variablesOf(participantId) {
    const row = await store.db
      .selectFrom('participants')
      .select('carried')
      .where('participant_id', '=', participantId)
      .executeTakeFirst()
    return row?.carried ? (JSON.parse(row.carried) as NonNullable<Member['carried']>).variables : {}
  },
  due: (now, after) => dueRooms(store, now, after),
  countAwake: () => countAwake(store),
  async load(roomId) {
    const snapshot = await store.db
      .selectFrom('room_snapshots')
      .select(['seq', 'state'])
      .where('room_id', '=', roomId)
      .executeTakeFirst()
    return { snapshot: snapshot ?? null, actions: await actionsAfter(store, roomId, snapshot?.seq ?? 0) }
  },
  actionsAfter: (roomId, seq) => actionsAfter(store, roomId, seq),
  append: createRoomAppender(store),
  async firstAnswer(roomId, actor, actionId) {
    const row = await store.db
      .selectFrom('room_actions')
      .select('answer')
      .where('room_id', '=', roomId)
      .where('action_id', '=', actionId)
      .where('actor', '=', actor)
      .orderBy('seq')
      .limit(1)
      .executeTakeFirst()
    return row?.answer
  },
  saveSnapshot: (snapshot) => saveSnapshot(store, snapshot),
  async orphans(alivePodIds) {
    const orphaned = awakeRooms(store.db)
      .select('room_id')
      .where('pod_id', 'not in', alivePodIds)
      .orderBy('room_id')
      .limit(maxOrphansAtOnce)
    return (await orphaned.execute()).map((row) => row.room_id)
  },
  async openRoomsOf(podId) {
    return (await awakeRooms(store.db).select('room_id').where('pod_id', '=', podId).execute()).map(
      (row) => row.room_id,
    )
  },
})

const actionsAfter = async ({ db }: Sql, roomId: string, seq: number): Promise<ReplayableAction[]> =>
  await db
    .selectFrom('room_actions')
    .select(['seq', 'at', 'action', 'replay'])
    .where('room_id', '=', roomId)
    .where('seq', '>', seq)
    .orderBy('seq')
    .limit(actionsPerPage)
    .execute()

/**
 * Locks no room, or its actions would wait for this. If the room is claimed meanwhile, nothing is lost: the state was
 * durable, and a newer snapshot is never overwritten.
 */
async function saveSnapshot({ db }: Sql, { roomId, epoch, seq, state }: StoredSnapshot): Promise<void> {
  await sql`
    insert into room_snapshots (room_id, seq, state)
    select room_id, cast(${seq} as integer), cast(${state} as text) from rooms
    where room_id = ${roomId} and epoch = ${epoch}
    on conflict (room_id) do update set seq = excluded.seq, state = excluded.state
    where room_snapshots.seq < excluded.seq`.execute(db)
}
