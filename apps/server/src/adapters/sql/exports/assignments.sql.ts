import { sql } from 'kysely'
import type { StoredAssignment } from '../../../modules/exports/exports.store.ts'
import { stays } from '../rooms/stays.sql.ts'
import { namedIds } from '../row-set.ts'
import type { Sql } from '../tables.ts'

interface Row {
  participant_id: string
  stage: string | null
  room_id: string
  role: string
  alias: string | null
  condition: string | null
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

/**
 * Of each room that they have been in. The first action of a room is its opening, also in rooms of before migration 0029. What
 * is assigned once for all stages is with the first.
 */
export async function listAssignments(
  { engine, db }: Sql,
  participantIds: readonly string[],
): Promise<StoredAssignment[]> {
  if (participantIds.length === 0) return []
  const found = await sql<Row>`
    select s.participant_id, coalesce(s.stage, v.first_stage) as stage, s.room_id, s.role, s.alias,
      coalesce(b.condition, a.condition, r.condition) as condition, r.seed, r.ordinal as room_ordinal,
      coalesce(b.ordinal, own.ordinal) as ordinal, coalesce(b.seat, own.seat) as seat,
      coalesce(b.rows, own.rows) as rows, opening.at,
      m.search, m.waiting, m.considered, m.passed_over, m.waited_ms, m.part
    from ${namedIds(engine, participantIds)}
    join ${stays} s on s.participant_id = named.id
    join rooms r on r.room_id = s.room_id and r.ordinal is not null
    left join experiment_revisions v on v.experiment_id = r.experiment_id and v.revision = r.revision
    left join assignments a on a.participant_id = s.participant_id
    left join assignments own on own.participant_id = s.participant_id and s.stay = 0
    left join stay_assignments b on b.participant_id = s.participant_id and b.stay = s.stay
    left join matches m on m.participant_id = s.participant_id and m.room_id = s.room_id
    left join room_actions opening on opening.room_id = r.room_id and opening.seq = 1
    order by s.participant_id, s.stay`.execute(db)
  return found.rows.map((row) => ({
    ...{ participantId: row.participant_id, stage: row.stage, roomId: row.room_id, role: row.role },
    ...{ alias: row.alias, condition: row.condition },
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
