import { sql } from 'kysely'
import type { ListedRoom, RoomListing } from '../../../modules/rooms/rooms.store.ts'
import type { Sql } from '../tables.ts'

/**
 * Written this way because, as a condition, SQLite would evaluate it first and read all living sessions once per room.
 */
const countAlive = (now: number) =>
  sql<number>`count(case when s.status = 'active' and s.expires_at > ${now} then 1 end)`

/** Walks an index from the newest room; a page costs the same wherever it starts. */
export async function listRooms({ db }: Sql, listing: RoomListing): Promise<ListedRoom[]> {
  const { before } = listing
  const rows = await db
    .selectFrom('rooms as r')
    .selectAll('r')
    .select(({ selectFrom }) => [
      selectFrom('participants as p')
        .select(({ fn }) => fn.countAll<number>().as('people'))
        .whereRef('p.room_id', '=', 'r.room_id')
        .as('present'),
      // Apart: SQLite would put `stays` together once per room.
      selectFrom('former_stays as f')
        .select(({ fn }) => fn.countAll<number>().as('people'))
        .whereRef('f.room_id', '=', 'r.room_id')
        .as('former'),
      selectFrom('participants as p')
        .innerJoin('sessions as s', 's.participant_id', 'p.participant_id')
        .select(countAlive(listing.now).as('people'))
        .whereRef('p.room_id', '=', 'r.room_id')
        .where('p.completed_at', 'is', null)
        .where('p.outcome', 'is', null)
        .as('active'),
      selectFrom('agent_participants as a')
        .select(({ fn }) => fn.countAll<number>().as('seats'))
        .whereRef('a.room_id', '=', 'r.room_id')
        .where('a.role', 'is not', null)
        .as('seated'),
    ])
    .where('r.experiment_id', '=', listing.experimentId)
    .$if(listing.openOnly, (query) => query.where('r.closed_at', 'is', null))
    .$if(before !== null, (query) =>
      query.where(sql<boolean>`(r.created_at, r.room_id) < (${before?.createdAt}, ${before?.roomId})`),
    )
    .orderBy('r.created_at', 'desc')
    .orderBy('r.room_id', 'desc')
    .limit(listing.limit)
    .execute()
  return rows.map((row) => ({
    roomId: row.room_id,
    createdAt: row.created_at,
    revision: row.revision,
    stage: row.stage,
    podId: row.pod_id,
    ordinal: row.ordinal,
    condition: row.condition,
    restingSince: row.resting_since,
    pausedAt: row.paused_at,
    closedAt: row.closed_at,
    endReason: row.end_reason,
    participants: Number(row.present ?? 0) + Number(row.former ?? 0),
    active: row.active ?? 0,
    // Those from matching are seated when the room begins.
    agents: row.ordinal === null ? JSON.parse(row.agents).length : (row.seated ?? 0),
    synthetic: row.pilot_id !== null,
  }))
}
