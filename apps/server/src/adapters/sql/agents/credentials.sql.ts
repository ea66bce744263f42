import { sql } from 'kysely'
import { auditedFields, changeCredential } from '../../../modules/agents/credential.plan.ts'
import type { CredentialStore } from '../../../modules/agents/credentials.store.ts'
import { writeAudit } from '../operations.sql.ts'
import { forUpdate, type Sql } from '../tables.ts'
import { listVisible } from './credential-list.sql.ts'
import { asCredential, rowOf } from './credential-rows.sql.ts'
import { runningWith, selectHidden } from './credential-uses.sql.ts'

export const createCredentialStore = (store: Sql): CredentialStore => ({
  create: (credential, max, actor) => create(store, credential, max, actor),
  async find(credentialId) {
    const row = await rowsOf(store).where('credential_id', '=', credentialId).executeTakeFirst()
    return row && asCredential(row)
  },
  visible: (listing) => listVisible(store, listing),
  seen: async (credentialId, sight) =>
    (await listVisible(store, { credentialId, sight, before: null, limit: 1 }))[0],
  change: (credentialId, change) => applyChange(store, credentialId, change),
  remove: (removal) => remove(store, removal),
  runningWith: (credentialId, sight, now) => runningWith(store, credentialId, sight, now),
  hiddenAmong: (search) => selectHidden(store, search),
  async claimTest({ credentialId, testId, now, until }) {
    const { numUpdatedRows } = await store.db
      .updateTable('agent_credentials')
      .set({ test_id: testId, test_until: until })
      .where('credential_id', '=', credentialId)
      .where('test_until', '<=', now)
      .executeTakeFirstOrThrow()
    return numUpdatedRows > 0n
  },
  endTest: (ended) => endTest(store, ended),
  async sealedOtherwise({ prefix, after, limit }) {
    return await store.db
      .selectFrom('agent_credentials')
      .select(['credential_id as credentialId', 'sealed_key as sealedKey'])
      .where(sql<boolean>`substr(sealed_key, 1, ${sql.lit(prefix.length)}) <> ${prefix}`)
      .where('credential_id', '>', after)
      .orderBy('credential_id')
      .limit(limit)
      .execute()
  },
  async reseal({ credentialId, from, to }) {
    await store.db
      .updateTable('agent_credentials')
      .set({ sealed_key: to })
      .where('credential_id', '=', credentialId)
      .where('sealed_key', '=', from)
      .execute()
  },
})

const rowsOf = ({ db }: Sql) => db.selectFrom('agent_credentials').selectAll()

const create: Bound<CredentialStore['create']> = async ({ engine, db }, credential, max, actor) =>
  await db.transaction().execute(async (tx) => {
    const { credentialId: subject, owner, createdAt: at } = credential
    // One at a time for one owner, who may have no row yet that could be locked. SQLite has one writer anyway.
    if (engine === 'postgres')
      await sql`select pg_advisory_xact_lock(hashtextextended(${`credentials of ${owner}`}, 0))`.execute(tx)
    const { total } = await tx
      .selectFrom('agent_credentials')
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .where('owner', '=', owner)
      .executeTakeFirstOrThrow()
    if (total >= max) return 'too_many'
    await tx
      .insertInto('agent_credentials')
      .values({ ...rowOf(credential), test_id: null, test_until: 0 })
      .execute()
    const details = auditedFields(credential)
    await writeAudit(tx, { at, actor, action: 'credential_created', subject, details })
    return 'created'
  })

/** An experiment that is being saved with this credential holds its row, too (see credential-uses.sql.ts). */
const lock = (store: Sql, credentialId: string) =>
  rowsOf(store).where('credential_id', '=', credentialId).$call(forUpdate(store.engine)).executeTakeFirst()

const applyChange: Bound<CredentialStore['change']> = async ({ engine, db }, credentialId, change) =>
  await db.transaction().execute(async (tx) => {
    const row = await lock({ engine, db: tx }, credentialId)
    if (!row) return 'not_found'
    const before = asCredential(row)
    const after = changeCredential(before, change)
    if (!after) return 'key_needed'
    await tx
      .updateTable('agent_credentials')
      .set(rowOf(after))
      .where('credential_id', '=', credentialId)
      .execute()
    await writeAudit(tx, {
      at: change.now,
      actor: change.actor,
      action: 'credential_changed',
      subject: credentialId,
      details: {
        before: auditedFields(before),
        after: auditedFields(after),
        isKeyChanged: change.key !== null,
      },
    })
    return 'changed'
  })

const remove: Bound<CredentialStore['remove']> = async ({ engine, db }, { credentialId, actor, now }) =>
  await db.transaction().execute(async (tx) => {
    const row = await lock({ engine, db: tx }, credentialId)
    if (!row) return 'not_found'
    const [use] = await runningWith({ engine, db: tx }, credentialId, null, now)
    if (use) return 'in_use'
    await tx.deleteFrom('agent_credentials').where('credential_id', '=', credentialId).execute()
    const details = { owner: row.owner, ...auditedFields(asCredential(row)) }
    await writeAudit(tx, { at: now, actor, action: 'credential_removed', subject: credentialId, details })
    return 'removed'
  })

const endTest: Bound<CredentialStore['endTest']> = async ({ engine, db }, ended) =>
  await db.transaction().execute(async (tx) => {
    const { credentialId, testId, changedAt, actor, now, result } = ended
    const row = await lock({ engine, db: tx }, credentialId)
    if (row?.test_id !== testId) return
    const isKept = result !== null && row.changed_at === changedAt
    await tx
      .updateTable('agent_credentials')
      .set({
        test_id: null,
        test_until: 0,
        ...(isKept && { last_tested_at: now, last_test: JSON.stringify(result) }),
      })
      .where('credential_id', '=', credentialId)
      .execute()
    if (!result) return
    const details = { baseUrl: row.base_url, ok: result.ok }
    await writeAudit(tx, { at: now, actor, action: 'credential_tested', subject: credentialId, details })
  })

type Bound<Method extends (...args: never[]) => unknown> = (
  store: Sql,
  ...args: Parameters<Method>
) => ReturnType<Method>
