import type { ExperimentStatus } from '@atrium/contract'
import type { Selectable } from 'kysely'
import type { ExperimentRecord } from '../../../modules/experiments/experiments.store.ts'
import { writeAudit } from '../operations.sql.ts'
import { forUpdate, type Sql, type Tables } from '../tables.ts'

export type ExperimentRow = Selectable<Tables['experiments']>

export const asRecord = (row: ExperimentRow): ExperimentRecord => ({
  experimentId: row.experiment_id,
  name: row.name,
  status: row.status as ExperimentStatus,
  revision: row.revision,
  capacity: row.capacity,
  participantCount: row.participant_count,
  // The previous release publishes without saying so; a second revision exists only where one was published.
  isPublished: row.is_published === 1 || row.revision > 1,
})

export async function lockExperiment({ engine, db }: Sql, experimentId: string) {
  return await db
    .selectFrom('experiments')
    .selectAll()
    .where('experiment_id', '=', experimentId)
    .$call(forUpdate(engine))
    .executeTakeFirst()
}

/** In a transaction of the caller, who holds the row and has checked that it may change so. */
export async function setStatus(
  tx: Sql['db'],
  row: ExperimentRow,
  { to, actor, now }: { to: ExperimentStatus; actor: string; now: number },
): Promise<ExperimentRow> {
  const { experiment_id: experimentId, status: from } = row
  if (from === to) return row
  await tx
    .updateTable('experiments')
    .set({ status: to, updated_at: now })
    .where('experiment_id', '=', experimentId)
    .execute()
  await writeAudit(tx, {
    at: now,
    actor,
    action: 'experiment_status',
    subject: experimentId,
    details: { from, to },
  })
  return { ...row, status: to, updated_at: now }
}
