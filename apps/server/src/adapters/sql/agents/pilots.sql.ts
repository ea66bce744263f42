import { limits } from '@atrium/contract'
import { sql } from 'kysely'
import type {
  NewPilot,
  PilotCreation,
  PilotStore,
  StoredPilot,
} from '../../../modules/agents/pilots.store.ts'
import type { Sql } from '../tables.ts'

export const createPilotStore = ({ db }: Sql): PilotStore => ({
  create: (pilot) => createPilot(db, pilot),
  async waiting(limit) {
    const rows = await db
      .selectFrom('rooms')
      .select('room_id')
      .where('pilot_id', 'is not', null)
      .where('closed_at', 'is', null)
      .where('resting_since', 'is not', null)
      .orderBy('created_at')
      .orderBy('pilot_place')
      .limit(limit)
      .execute()
    return rows.map((row) => row.room_id)
  },
  async list({ experimentId, before, limit }) {
    const pilots = await db
      .selectFrom('pilots')
      .selectAll()
      .where('experiment_id', '=', experimentId)
      .$if(before !== null, (query) =>
        query.where(sql<boolean>`(created_at, pilot_id) < (${before?.createdAt}, ${before?.pilotId})`),
      )
      .orderBy('created_at', 'desc')
      .orderBy('pilot_id', 'desc')
      .limit(limit)
      .execute()
    const rooms = await roomsOf(
      db,
      pilots.map((pilot) => pilot.pilot_id),
    )
    return pilots.map((pilot) => ({
      pilotId: pilot.pilot_id,
      createdAt: pilot.created_at,
      revision: pilot.revision,
      agentsPerRoom: pilot.agents_per_room,
      budget: pilot.budget === null ? null : JSON.parse(pilot.budget),
      rooms: rooms.get(pilot.pilot_id) ?? [],
    }))
  },
})

async function createPilot(db: Sql['db'], pilot: NewPilot): Promise<PilotCreation> {
  const { pilotId, experimentId, revision, now } = pilot
  const [personas, agents] = [JSON.stringify(pilot.personas), JSON.stringify(pilot.seats)]
  return await db.transaction().execute(async (tx) => {
    const more = pilot.roomIds.length
    if ((await countOpen(tx, [experimentId])) + more > limits.pilotRoomsOpen) return 'too_many'
    const ofOwner = await countOpen(tx, experimentsOfOwner(tx, experimentId))
    if (ofOwner + more > limits.pilotRoomsOpenPerResearcher) return 'too_many'
    await tx
      .insertInto('pilots')
      .values({
        pilot_id: pilotId,
        experiment_id: experimentId,
        revision,
        created_at: now,
        agents_per_room: pilot.agentsPerRoom,
        budget: pilot.budget === null ? null : JSON.stringify(pilot.budget),
      })
      .execute()
    // One by one: personas may be large, and all rooms together would be one enormous statement.
    for (const [place, roomId] of pilot.roomIds.entries())
      await tx
        .insertInto('rooms')
        .values({
          room_id: roomId,
          experiment_id: experimentId,
          revision,
          pod_id: pilot.podId,
          created_at: now,
          closed_at: null,
          resting_since: now,
          epoch: 0,
          seed: '',
          ordinal: null,
          agents,
          personas,
          pilot_id: pilotId,
          pilot_place: place,
        })
        .execute()
    return 'created'
  })
}

/** Not a parameter: the index on owners has first revisions only, and a prepared plan must know that this is one. */
const firstRevision = sql.lit(1)

/** Those that the owner of this one has (R37). */
const experimentsOfOwner = (db: Sql['db'], experimentId: string) =>
  db
    .selectFrom('experiment_revisions')
    .select('experiment_id')
    .where('revision', '=', firstRevision)
    .where('created_by', '=', ({ selectFrom }) =>
      selectFrom('experiment_revisions as own')
        .select('own.created_by')
        .where('own.experiment_id', '=', experimentId)
        .where('own.revision', '=', firstRevision),
    )

async function countOpen(
  db: Sql['db'],
  experimentIds: string[] | ReturnType<typeof experimentsOfOwner>,
): Promise<number> {
  const { rooms } = await db
    .selectFrom('rooms')
    .select(({ fn }) => fn.countAll<number>().as('rooms'))
    .where('experiment_id', 'in', experimentIds)
    .where('pilot_id', 'is not', null)
    .where('closed_at', 'is', null)
    .executeTakeFirstOrThrow()
  return rooms
}

async function roomsOf(
  db: Sql['db'],
  pilotIds: readonly string[],
): Promise<Map<string, StoredPilot['rooms']>> {
  if (pilotIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('rooms')
    .select(['pilot_id', 'room_id', 'resting_since', 'closed_at', 'end_reason'])
    .where('pilot_id', 'in', [...pilotIds])
    .orderBy('pilot_id')
    .orderBy('pilot_place')
    .execute()
  const byPilot = Map.groupBy(rows, (row) => row.pilot_id ?? '')
  return new Map(
    [...byPilot].map(([pilotId, rooms]) => [
      pilotId,
      rooms.map((row) => ({
        roomId: row.room_id,
        isHeld: row.resting_since === null,
        closedAt: row.closed_at,
        endReason: row.end_reason,
      })),
    ]),
  )
}
