import { success } from '@atrium/contract'
import { sql } from 'kysely'
import { namedIds } from '../row-set.ts'
import type { Sql } from '../tables.ts'

interface CellChange {
  experimentId: string
  design: string
  cell: string
  people: number
}

/**
 * Adds people to cells, or takes them away. In a fixed order, after every lock on a participant, a room or an experiment, so
 * that no two transactions wait for each other.
 */
export async function countIn({ db }: Sql, changes: readonly CellChange[]): Promise<void> {
  const byCell = Map.groupBy(changes, ({ experimentId, design, cell }) => `${experimentId} ${design} ${cell}`)
  for (const [, same] of [...byCell].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const [first] = same
    const people = same.reduce((sum, change) => sum + change.people, 0)
    if (!first || people === 0) continue
    await db
      .insertInto('assignment_counts')
      .values({ experiment_id: first.experimentId, design: first.design, cell: first.cell, people })
      .onConflict((conflict) =>
        conflict
          .columns(['experiment_id', 'design', 'cell'])
          .doUpdateSet((eb) => ({ people: eb('assignment_counts.people', '+', people) })),
      )
      .execute()
  }
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
 * S47: gives back the cells of participants who do not count any more, and takes them again for those who do. With
 * `opened`, whoever holds a place counts (R56); with `completed`, only as long as they may still complete, or have. Called
 * at the end of every transaction that may change this; the participants are locked.
 */
export async function recountAssignments(tx: Sql, participantIds: readonly string[]): Promise<void> {
  const { engine, db } = tx
  if (participantIds.length === 0) return
  const { rows } = await sql<AssignmentRow>`
    select * from (
      select a.participant_id, a.experiment_id, a.design, a.cells, a.is_counted,
        case when p.holds_place = 1 and (a.balance = 'opened'
          or ((p.outcome is null or p.outcome = ${success}) and exists (
            select 1 from sessions s
            where s.participant_id = p.participant_id and s.status in ('active', 'completed'))))
          then 1 else 0 end as counts
      from ${namedIds(engine, participantIds)}
      join assignments a on a.participant_id = named.id
      join participants p on p.participant_id = a.participant_id) as known
    where is_counted <> counts`.execute(db)
  if (rows.length === 0) return
  for (const counts of [0, 1]) {
    const ids = rows.filter((row) => row.counts === counts).map((row) => row.participant_id)
    if (ids.length > 0)
      await db
        .updateTable('assignments')
        .set({ is_counted: counts })
        .where('participant_id', 'in', ids)
        .execute()
  }
  await countIn(
    tx,
    rows.flatMap(({ experiment_id, design, cells, counts }) =>
      (JSON.parse(cells) as string[]).map((cell) => ({
        experimentId: experiment_id,
        design,
        cell,
        people: counts === 1 ? 1 : -1,
      })),
    ),
  )
}

/** For a participant who is deleted: they count nowhere. */
export async function forgetAssignment(tx: Sql, participantId: string): Promise<void> {
  const row = await tx.db
    .deleteFrom('assignments')
    .where('participant_id', '=', participantId)
    .returning(['experiment_id', 'design', 'cells', 'is_counted'])
    .executeTakeFirst()
  if (row?.is_counted !== 1) return
  const { experiment_id: experimentId, design } = row
  await countIn(
    tx,
    (JSON.parse(row.cells) as string[]).map((cell) => ({ experimentId, design, cell, people: -1 })),
  )
}
