import { limits } from '@atrium/contract'
import { personIn } from '../../../kernel/signature.ts'
import type { NewTry, TryStore } from '../../../modules/tries/tries.store.ts'
import { insertExperiment } from '../experiments/experiments.sql.ts'
import { writeAudit } from '../operations.sql.ts'
import type { Sql } from '../tables.ts'
import { closeTry, removeTry } from './remove-try.sql.ts'

export const createTryStore = (store: Sql): TryStore => ({
  create: (created) => create(store, created),
  async list(experimentId, owner) {
    return await store.db
      .selectFrom('tries')
      .select(['experiment_id as tryId', 'created_at as createdAt', 'expires_at as expiresAt'])
      .where('try_of', '=', experimentId)
      .where('owner', '=', owner)
      .orderBy('created_at', 'desc')
      .orderBy('experiment_id')
      .execute()
  },
  async isOwn({ tryId, experimentId, owner }) {
    const found = await store.db
      .selectFrom('tries')
      .select('experiment_id')
      .where('experiment_id', '=', tryId)
      .where('try_of', '=', experimentId)
      .where('owner', '=', owner)
      .executeTakeFirst()
    return found !== undefined
  },
  async expired(now, limit) {
    const rows = await store.db
      .selectFrom('tries')
      .select('experiment_id')
      .where('expires_at', '<=', now)
      .orderBy('expires_at')
      .limit(limit)
      .execute()
    return rows.map(({ experiment_id }) => experiment_id)
  },
  close: (tryId, now) => closeTry(store, tryId, now),
  remove: (tryId) => removeTry(store, tryId),
})

async function create({ engine, db }: Sql, created: NewTry): Promise<'created' | 'too_many' | 'media_gone'> {
  const { tryId, experimentId, definition, media, actor, now, expiresAt } = created
  const owner = personIn(actor)
  return await db.transaction().execute(async (db) => {
    const tx: Sql = { engine, db }
    // Two starts at the same moment may both count what was there before: one too many, for a day at most.
    const { open } = await db
      .selectFrom('tries')
      .select(({ fn }) => fn.countAll<number>().as('open'))
      .where('owner', '=', owner)
      .executeTakeFirstOrThrow()
    if (open >= limits.triesPerResearcher) return 'too_many'
    const tried = { experimentId: tryId, triedFrom: experimentId, definition, media, actor, now }
    const outcome = await insertExperiment(tx, tried, 'recruiting')
    if (outcome !== 'created') return 'media_gone'
    // A try keeps nobody from deleting a video, and is not named among the experiments that use it. Its pictures and sounds stay
    // listed, because it is here that their names lead to them.
    await db.deleteFrom('experiment_videos').where('experiment_id', '=', tryId).execute()
    await db
      .insertInto('tries')
      .values({ experiment_id: tryId, try_of: experimentId, owner, created_at: now, expires_at: expiresAt })
      .execute()
    await writeAudit(db, {
      at: now,
      actor,
      action: 'try_started',
      subject: experimentId,
      details: { tryId },
    })
    return 'created'
  })
}
