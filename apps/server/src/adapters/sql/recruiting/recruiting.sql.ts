import { type Selectable, sql } from 'kysely'
import type {
  Acting,
  BonusRecord,
  BonusStatus,
  RecruitingStore,
  SeenBonus,
} from '../../../modules/recruiting/recruiting.store.ts'
import { submissionHashOf } from '../../../modules/recruiting/submission-hash.plan.ts'
import { writeAudit } from '../operations.sql.ts'
import { forUpdate, type Sql, type Tables } from '../tables.ts'

export const createRecruitingStore = (store: Sql): RecruitingStore => ({
  async token(experimentId) {
    const row = await store.db
      .selectFrom('prolific_tokens')
      .selectAll()
      .where('experiment_id', '=', experimentId)
      .executeTakeFirst()
    return row && { sealedToken: row.sealed_token, tokenHint: row.token_hint }
  },
  keepToken: (acting, token) =>
    store.db.transaction().execute(async (tx) => {
      const { experimentId } = acting
      await tx.deleteFrom('prolific_tokens').where('experiment_id', '=', experimentId).execute()
      if (token)
        await tx
          .insertInto('prolific_tokens')
          .values({
            experiment_id: experimentId,
            sealed_token: token.sealedToken,
            token_hint: token.tokenHint,
          })
          .execute()
      await audit(tx, acting, token ? 'prolific_connected' : 'prolific_disconnected', {})
    }),
  async studies(experimentId) {
    const rows = await store.db
      .selectFrom('prolific_studies')
      .selectAll()
      .where('experiment_id', '=', experimentId)
      .orderBy('created_at', 'desc')
      .execute()
    return rows.map(({ study_id, name, created_at }) => ({ studyId: study_id, name, createdAt: created_at }))
  },
  addStudy: (acting, { studyId, name, createdAt }) =>
    store.db.transaction().execute(async (tx) => {
      await tx
        .insertInto('prolific_studies')
        .values({ study_id: studyId, experiment_id: acting.experimentId, name, created_at: createdAt })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      await audit(tx, acting, 'prolific_study_created', { studyId })
    }),
  async bonuses(studyId, submissionIds) {
    const rows = await store.db
      .selectFrom('prolific_bonuses')
      .selectAll()
      .where('study_id', '=', studyId)
      .execute()
    const bonuses = new Map(rows.map((row) => [row.submission_id, row]))
    return submissionIds.flatMap((submissionId) => {
      const row = bonuses.get(submissionHashOf(submissionId))
      return row ? [asBonus(submissionId, row)] : []
    })
  },
  async bonus(studyId, submissionId) {
    const row = await store.db
      .selectFrom('prolific_bonuses')
      .selectAll()
      .where('study_id', '=', studyId)
      .where('submission_id', '=', submissionHashOf(submissionId))
      .executeTakeFirst()
    return row && asBonus(submissionId, row)
  },
  claimBonus: (acting, bonus) => claimBonus(store, acting, bonus),
  async markPaying({ submissionId, paymentId, claimedAt, now }) {
    const changed = await store.db
      .updateTable('prolific_bonuses')
      .set({ status: 'paying', payment_id: paymentId, changed_at: now })
      .where('submission_id', '=', submissionHashOf(submissionId))
      .where('status', '=', 'preparing')
      .where('changed_at', '=', claimedAt)
      .executeTakeFirst()
    return Number(changed.numUpdatedRows) === 1
  },
  markUnknown: (acting, seen) =>
    store.db.transaction().execute(async (tx) => {
      const { numUpdatedRows } = await tx
        .updateTable('prolific_bonuses')
        .set({ status: 'unknown', changed_at: acting.now })
        .where((where) => where.and(columnsOf(seen)))
        .executeTakeFirst()
      if (numUpdatedRows > 0n) await audit(tx, acting, 'prolific_bonus_unknown', submissionIn(seen))
    }),
  markPaid: (acting, submissionId) =>
    store.db.transaction().execute(async (tx) => {
      await tx
        .updateTable('prolific_bonuses')
        .set({ status: 'done', changed_at: acting.now })
        .where('submission_id', '=', submissionHashOf(submissionId))
        .execute()
      await audit(tx, acting, 'prolific_bonus_paid', submissionIn({ submissionId }))
    }),
  dropBonus: (acting, seen) =>
    store.db.transaction().execute(async (tx) => {
      const { numDeletedRows } = await tx
        .deleteFrom('prolific_bonuses')
        .where((where) => where.and(columnsOf(seen)))
        .executeTakeFirst()
      if (numDeletedRows > 0n) await audit(tx, acting, 'prolific_bonus_not_paid', submissionIn(seen))
    }),
  async sealedOtherwise({ prefix, after, limit }) {
    const rows = await store.db
      .selectFrom('prolific_tokens')
      .select(['experiment_id', 'sealed_token'])
      .where('experiment_id', '>', after)
      .where(sql<boolean>`substr(sealed_token, 1, ${sql.lit(prefix.length)}) <> ${prefix}`)
      .orderBy('experiment_id')
      .limit(limit)
      .execute()
    return rows.map(({ experiment_id, sealed_token }) => ({
      credentialId: experiment_id,
      sealedKey: sealed_token,
    }))
  },
  async reseal({ credentialId, from, to }) {
    await store.db
      .updateTable('prolific_tokens')
      .set({ sealed_token: to })
      .where('experiment_id', '=', credentialId)
      .where('sealed_token', '=', from)
      .execute()
  },
})

const submissionIn = ({ submissionId }: Pick<SeenBonus, 'submissionId'>) => ({
  submissionHash: submissionHashOf(submissionId),
})

const columnsOf = ({ submissionId, status, changedAt }: SeenBonus) => ({
  submission_id: submissionHashOf(submissionId),
  status,
  changed_at: changedAt,
})

async function claimBonus(
  { engine, db }: Sql,
  acting: Acting,
  {
    studyId,
    submissionId,
    amount,
    staleBefore,
  }: { studyId: string; submissionId: string; amount: number; staleBefore: number },
): Promise<'claimed' | BonusRecord> {
  return await db.transaction().execute(async (tx) => {
    const claim = { amount, status: 'preparing', payment_id: null, changed_at: acting.now }
    const made = await tx
      .insertInto('prolific_bonuses')
      .values({ submission_id: submissionHashOf(submissionId), study_id: studyId, ...claim })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (Number(made.numInsertedOrUpdatedRows) !== 1) {
      const query = tx
        .selectFrom('prolific_bonuses')
        .selectAll()
        .where('submission_id', '=', submissionHashOf(submissionId))
      const row = await forUpdate(engine)(query).executeTakeFirstOrThrow()
      if (row.status !== 'preparing' || row.changed_at >= staleBefore) return asBonus(submissionId, row)
      await tx
        .updateTable('prolific_bonuses')
        .set(claim)
        .where('submission_id', '=', submissionHashOf(submissionId))
        .execute()
    }
    await audit(tx, acting, 'prolific_bonus_begun', { ...submissionIn({ submissionId }), amount })
    return 'claimed'
  })
}

const audit = (
  tx: Sql['db'],
  { experimentId, actor, now }: Acting,
  action: string,
  details: Record<string, unknown>,
): Promise<void> => writeAudit(tx, { at: now, actor, action, subject: experimentId, details })

const asBonus = (submissionId: string, row: Selectable<Tables['prolific_bonuses']>): BonusRecord => ({
  submissionId,
  amount: row.amount,
  status: row.status as BonusStatus,
  changedAt: row.changed_at,
})
