import { outcomesOfDropouts } from '@atrium/contract'
import { sql } from 'kysely'
import { namedIds, rowSet } from '../row-set.ts'
import type { Sql } from '../tables.ts'

export interface CellChange {
  experimentId: string
  design: string
  cell: string
  people: number
}

const columns = { experiment_id: 'text', design: 'text', cell: 'text', people: 'integer' } as const

/**
 * Adds people to cells, or takes them away. Once in a transaction, in a fixed order, after every lock on a participant, a room
 * or an experiment, so that no two transactions wait for each other.
 */
export async function countIn({ engine, db }: Sql, changes: readonly CellChange[]): Promise<void> {
  const byCell = Map.groupBy(changes, ({ experimentId, design, cell }) => `${experimentId} ${design} ${cell}`)
  const rows = [...byCell.values()].flatMap((same) => {
    const people = same.reduce((sum, change) => sum + change.people, 0)
    return same.slice(0, people === 0 ? 0 : 1).map(({ experimentId, design, cell }) => ({
      ...{ experiment_id: experimentId, design, cell, people },
    }))
  })
  if (rows.length === 0) return
  await sql`insert into assignment_counts (experiment_id, design, cell, people)
    select experiment_id, design, cell, people from ${rowSet(engine, 'changed', columns, rows)} where true
    order by experiment_id, design, cell
    on conflict (experiment_id, design, cell)
    do update set people = assignment_counts.people + excluded.people`.execute(db)
}

/**
 * S47: gives back the cells of participants who do not count any more, and takes them again for those who do. Called at the
 * end of every transaction that may change this; the participants are locked.
 */
export async function recountAssignments(tx: Sql, participantIds: readonly string[]): Promise<void> {
  if (participantIds.length > 0) await countIn(tx, await recounted(tx, participantIds))
}

interface AssignmentRow {
  participant_id: string
  experiment_id: string
  design: string
  cells: string
  is_counted: number
  counts: number
}

/**
 * Notes whether these people count, and returns what that changes in their cells. With `opened`, whoever holds a place counts
 * (R56); with `completed`, only as long as they may still complete, or have, and their room waits for them.
 */
export async function recounted(
  { engine, db }: Sql,
  participantIds: readonly string[],
): Promise<CellChange[]> {
  const { rows } = await sql<AssignmentRow>`
    select * from (
      select a.participant_id, a.experiment_id, a.design, a.cells, a.is_counted, a.is_stale,
        case when p.holds_place = 1 and (a.balance = 'opened'
          or ((p.outcome not in (${sql.join(outcomesOfDropouts)}) or (p.outcome is null and a.is_dropped = 0)) and exists (
            select 1 from sessions s
            where s.participant_id = p.participant_id and s.status in ('active', 'completed'))))
          then 1 else 0 end as counts
      from ${namedIds(engine, participantIds)}
      join assignments a on a.participant_id = named.id
      join participants p on p.participant_id = a.participant_id) as known
    where is_counted <> counts or is_stale = 1`.execute(db)
  for (const counts of [0, 1]) {
    const ids = rows.filter((row) => row.counts === counts).map((row) => row.participant_id)
    if (ids.length > 0)
      await sql`update assignments set is_counted = ${sql.lit(counts)}, is_stale = 0
        where participant_id in (select id from ${namedIds(engine, ids)})`.execute(db)
  }
  return rows.flatMap((row) =>
    row.is_counted === row.counts ? [] : changesOf(row, row.counts === 1 ? 1 : -1),
  )
}

const changesOf = (
  { experiment_id: experimentId, design, cells }: Pick<AssignmentRow, 'experiment_id' | 'design' | 'cells'>,
  people: number,
): CellChange[] => (JSON.parse(cells) as string[]).map((cell) => ({ experimentId, design, cell, people }))

/** A room that begins waits for no more changes in cells than this. What is left is done when the next one begins. */
const maxStale = 1_000

/**
 * S63: the same for people of the experiment whose participation a server of the previous release has changed. Those of whom
 * a transaction is changing something now are left to it, or to the next room.
 */
export async function recountedStale(
  { engine, db }: Sql,
  experimentId: string,
  cellsOfEach: number,
): Promise<CellChange[]> {
  const rows = await db
    .selectFrom('assignments as a')
    .innerJoin('participants as p', 'p.participant_id', 'a.participant_id')
    .select('a.participant_id')
    .where('a.experiment_id', '=', experimentId)
    // Written so that the planner sees that the index has them all.
    .where('a.is_stale', '=', sql.lit(1))
    .orderBy('a.participant_id')
    .limit(Math.ceil(maxStale / cellsOfEach))
    // The participants too: whoever changes them need not touch an assignment that is stale already. Nobody is waited for.
    .$call((query) => (engine === 'postgres' ? query.forUpdate(['a', 'p']).skipLocked() : query))
    .execute()
  return rows.length === 0
    ? []
    : await recounted(
        { engine, db },
        rows.map((row) => row.participant_id),
      )
}

/** For a participant who is deleted: they count nowhere. Those of later stages always count. */
export async function forgetAssignments(tx: Sql, participantId: string): Promise<void> {
  const later = await tx.db
    .deleteFrom('stay_assignments')
    .where('participant_id', '=', participantId)
    .returning(['experiment_id', 'design', 'cells'])
    .execute()
  const row = await tx.db
    .deleteFrom('assignments')
    .where('participant_id', '=', participantId)
    .returning(['experiment_id', 'design', 'cells', 'is_counted'])
    .executeTakeFirst()
  const counted = row?.is_counted === 1 ? [row, ...later] : later
  await countIn(
    tx,
    counted.flatMap((one) => changesOf(one, -1)),
  )
}
