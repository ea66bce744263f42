import { sql } from 'kysely'
import { overQuota } from '../../../kernel/quota.ts'
import type { FileSpace, FileStore } from '../../../modules/files/files.store.ts'
import { byteDelta, createDeltaWriter } from '../figures/deltas.sql.ts'
import { forUpdate, type Sql } from '../tables.ts'

export function createFileStore({ engine, db }: Sql): FileStore {
  const writeDeltas = createDeltaWriter(engine)

  async function count(tx: Sql['db'], { sessionId, bytes }: FileSpace, experimentId: string | null) {
    await tx
      .updateTable('event_streams')
      .set((eb) => ({ file_bytes: eb('file_bytes', '+', bytes) }))
      .where('session_id', '=', sessionId)
      .execute()
    if (experimentId !== null) await writeDeltas(tx, [byteDelta(experimentId, bytes)])
  }

  /** Locked, so that files that arrive together are counted one after the other. */
  const lockStream = (tx: Sql['db'], sessionId: string) =>
    tx
      .selectFrom('event_streams')
      .select('experiment_id')
      .where('session_id', '=', sessionId)
      .$call(forUpdate(engine))
      .executeTakeFirst()

  return {
    reserve: async (space, quota) =>
      await db.transaction().execute(async (tx) => {
        const stream = await lockStream(tx, space.sessionId)
        if (!stream) return undefined
        const over = overQuota(await stored(tx, space.sessionId), space.bytes, quota)
        if (!over) await count(tx, space, stream.experiment_id)
        return over
      }),
    release: async ({ sessionId, bytes }) =>
      await db.transaction().execute(async (tx) => {
        // With a deleted participant everything that counted for them is gone.
        const stream = await lockStream(tx, sessionId)
        if (stream) await count(tx, { sessionId, bytes: -bytes }, stream.experiment_id)
      }),
  }
}

/** R55: across all sessions of the participant. */
async function stored(db: Sql['db'], sessionId: string) {
  const { rows } = await sql<{ files: number | null; experiment: number | null }>`
    select sum(t.file_bytes) as files, max(x.bytes) as experiment
    from sessions own
    join sessions theirs on theirs.participant_id = own.participant_id
    join event_streams t on t.session_id = theirs.session_id
    left join experiment_totals x on x.experiment_id = t.experiment_id
    where own.session_id = ${sessionId}`.execute(db)
  return { participantBytes: Number(rows[0]?.files ?? 0), experimentBytes: rows[0]?.experiment ?? 0 }
}
