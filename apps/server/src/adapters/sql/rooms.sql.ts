import { sql } from 'kysely'
import {
  actionsPerPage,
  type LoggedAction,
  type Member,
  type RoomRecord,
  type RoomStore,
  type StoredSnapshot,
} from '../../modules/rooms/rooms.store.ts'
import { createRoomAppender } from './room-append.sql.ts'
import { createRoom, formerPartners } from './room-create.sql.ts'
import { listRooms } from './room-list.sql.ts'
import { forUpdate, type Sql } from './tables.ts'

/** The rest is found when these have a pod again. */
const mostOrphansAtOnce = 500

export const createRoomStore = (store: Sql): RoomStore => ({
  create: (room) => createRoom(store, room),
  formerPartners: (experimentId, participantIds) => formerPartners(store, experimentId, participantIds),
  find: (roomId) => findRoom(store, roomId),
  list: (listing) => listRooms(store, listing),
  claim: (roomId, podId, seed) => claim(store, roomId, podId, seed),
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
    const orphaned = runningRooms(store)
      .where('pod_id', 'not in', alivePodIds)
      .orderBy('room_id')
      .limit(mostOrphansAtOnce)
    return (await orphaned.execute()).map((row) => row.room_id)
  },
  async openRoomsOf(podId) {
    return (await runningRooms(store).where('pod_id', '=', podId).execute()).map((row) => row.room_id)
  },
})

const actionsAfter = async ({ db }: Sql, roomId: string, seq: number): Promise<LoggedAction[]> =>
  await db
    .selectFrom('room_actions')
    .select(['seq', 'at', 'action'])
    .where('room_id', '=', roomId)
    .where('seq', '>', seq)
    .orderBy('seq')
    .limit(actionsPerPage)
    .execute()

/** A room without an ordinal has not begun: whoever connects to it first decides where it lives. */
const runningRooms = ({ db }: Sql) =>
  db.selectFrom('rooms').select('room_id').where('closed_at', 'is', null).where('ordinal', 'is not', null)

async function findRoom({ db }: Sql, roomId: string): Promise<RoomRecord | undefined> {
  const row = await db.selectFrom('rooms').selectAll().where('room_id', '=', roomId).executeTakeFirst()
  if (!row) return undefined
  return {
    roomId,
    experimentId: row.experiment_id,
    revision: row.revision,
    podId: row.pod_id,
    epoch: row.epoch,
    seed: row.seed,
    ordinal: row.ordinal ?? 0,
    closedAt: row.closed_at,
    members: await membersOf(db, roomId),
    agents: JSON.parse(row.agents),
  }
}

async function membersOf(db: Sql['db'], roomId: string): Promise<Member[]> {
  return await db
    .selectFrom('participants')
    .select(['participant_id as participantId', 'role'])
    .where('room_id', '=', roomId)
    .orderBy('joined_at')
    .orderBy('participant_id')
    .execute()
}

async function claim(
  { engine, db }: Sql,
  roomId: string,
  podId: string,
  seed: string,
): Promise<RoomRecord | undefined> {
  return await db.transaction().execute(async (tx) => {
    const row = await tx
      .selectFrom('rooms')
      .selectAll()
      .where('room_id', '=', roomId)
      .$call(forUpdate(engine))
      .executeTakeFirst()
    if (!row) return undefined
    const drawn = row.ordinal === null ? { ordinal: await nextOrdinal(tx, row.experiment_id), seed } : {}
    await tx
      .updateTable('rooms')
      .set({ epoch: row.epoch + 1, pod_id: podId, ...drawn })
      .where('room_id', '=', roomId)
      .execute()
    return await findRoom({ engine, db: tx }, roomId)
  })
}

/**
 * Locks no room, or its actions would wait for this. Should it be claimed at this moment, nothing is lost: the state was
 * durable, and what is newer is never overwritten.
 */
async function saveSnapshot({ db }: Sql, { roomId, epoch, seq, state }: StoredSnapshot): Promise<void> {
  await sql`
    insert into room_snapshots (room_id, seq, state)
    select room_id, cast(${seq} as integer), cast(${state} as text) from rooms
    where room_id = ${roomId} and epoch = ${epoch}
    on conflict (room_id) do update set seq = excluded.seq, state = excluded.state
    where room_snapshots.seq < excluded.seq`.execute(db)
}

/** Counts the rooms of an experiment as they begin: the ordinal decides balanced and Latin-square assignment. */
async function nextOrdinal(db: Sql['db'], experimentId: string): Promise<number> {
  const row = await db
    .updateTable('experiments')
    .set({ rooms_opened: sql`rooms_opened + 1` })
    .where('experiment_id', '=', experimentId)
    .returning('rooms_opened')
    .executeTakeFirstOrThrow()
  return row.rooms_opened - 1
}
