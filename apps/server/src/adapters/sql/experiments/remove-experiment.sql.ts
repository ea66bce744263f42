import type { ExperimentStatus } from '@atrium/contract'
import type { ExperimentStore, Removed } from '../../../modules/experiments/experiments.store.ts'
import { writeAudit } from '../operations.sql.ts'
import { deleteRoom } from '../privacy/erase-room.sql.ts'
import { forUpdate, type Sql } from '../tables.ts'
import { unpinTables } from '../trial-tables/pinned-tables.sql.ts'

/** In the order in which they refer to each other. Nobody has joined, so there are no participants and sessions. */
const ofDraft = [
  'figure_deltas',
  'activity_counts',
  'outcome_counts',
  'experiment_totals',
  'event_tallies',
  'pilots',
  'prolific_studies',
  'prolific_tokens',
  'experiment_shares',
  'experiment_videos',
  'experiment_media',
  'experiment_credentials',
  'definition_drafts',
  'experiment_revisions',
  'experiments',
] as const

/** X56: only what has never recruited, with what agents played in it alone. */
export async function removeExperiment(
  { engine, db }: Sql,
  { experimentId, actor, now }: Parameters<ExperimentStore['remove']>[0],
): Promise<Removed> {
  return await db.transaction().execute(async (tx): Promise<Removed> => {
    const rooms = await tx
      .selectFrom('rooms')
      .select(['room_id', 'closed_at'])
      .where('experiment_id', '=', experimentId)
      .orderBy('room_id')
      .$call(forUpdate(engine))
      .execute()
    const found = await tx
      .selectFrom('experiments')
      .select(['status', 'name'])
      .where('experiment_id', '=', experimentId)
      .$call(forUpdate(engine))
      .executeTakeFirst()
    if (!found) return { kind: 'not_found' }
    if (found.status !== 'draft') return { kind: 'refused', status: found.status as ExperimentStatus }
    if (rooms.some(({ closed_at }) => closed_at === null)) return { kind: 'in_use' }
    for (const { room_id } of rooms) await deleteRoom({ engine, db: tx }, room_id)
    // They hold more than rows; the sweep deletes them with all of it.
    await tx.updateTable('tries').set({ expires_at: now }).where('try_of', '=', experimentId).execute()
    for (const table of ofDraft)
      await tx.deleteFrom(table).where('experiment_id', '=', experimentId).execute()
    await unpinTables({ engine, db: tx }, experimentId)
    await writeAudit(tx, {
      at: now,
      actor,
      action: 'experiment_deleted',
      subject: experimentId,
      details: { name: found.name },
    })
    return { kind: 'removed' }
  })
}
