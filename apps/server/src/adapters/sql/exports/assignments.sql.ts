import { sql } from 'kysely'
import type { StoredAssignment } from '../../../modules/exports/exports.store.ts'
import { namedIds } from '../row-set.ts'
import type { Sql } from '../tables.ts'

interface Row {
  participant_id: string
  seed: string
  room_ordinal: number
  ordinal: number | null
  seat: number | null
  rows: string | null
  at: number | null
  search: string | null
  waiting: number
  considered: number
  passed_over: number
  waited_ms: number
  part: number | null
}

/** The first action of a room is its opening, also in rooms of before migration 0029. */
export async function listAssignments(
  { engine, db }: Sql,
  participantIds: readonly string[],
): Promise<StoredAssignment[]> {
  if (participantIds.length === 0) return []
  const found = await sql<Row>`
    select p.participant_id, r.seed, r.ordinal as room_ordinal, a.ordinal, a.seat, a.rows, opening.at,
      m.search, m.waiting, m.considered, m.passed_over, m.waited_ms, m.part
    from ${namedIds(engine, participantIds)}
    join participants p on p.participant_id = named.id
    join rooms r on r.room_id = p.room_id and r.ordinal is not null
    left join assignments a on a.participant_id = p.participant_id
    left join matches m on m.participant_id = p.participant_id and m.room_id = p.room_id
    left join room_actions opening on opening.room_id = r.room_id and opening.seq = 1`.execute(db)
  return found.rows.map((row) => ({
    participantId: row.participant_id,
    roomSeed: row.seed,
    roomOrdinal: row.room_ordinal,
    stored:
      row.ordinal === null || row.rows === null
        ? null
        : { ordinal: row.ordinal, seat: row.seat, rows: JSON.parse(row.rows) },
    assignedAt: row.at,
    match: row.search === null ? null : matchIn(row, row.search),
  }))
}

const matchIn = ({ waiting, considered, passed_over, waited_ms, part }: Row, search: string) => ({
  ...{ search, waiting, considered, passedOver: passed_over, waitedMs: waited_ms, part },
})
