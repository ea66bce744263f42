import type { KeyAccess } from '@atrium/contract'
import { type Selectable, sql } from 'kysely'
import type { KeyRecord, KeyStore } from '../../../modules/keys/keys.store.ts'
import { writeAudit } from '../operations.sql.ts'
import type { Sql, Tables } from '../tables.ts'

export const createKeyStore = (store: Sql): KeyStore => ({
  create: (key, max) => create(store, key, max),
  async find(keyId) {
    const row = await store.db
      .selectFrom('api_keys')
      .selectAll()
      .where('key_id', '=', keyId)
      .executeTakeFirst()
    return row && asKey(row)
  },
  async list({ owner, before, limit }) {
    const rows = await store.db
      .selectFrom('api_keys')
      .selectAll()
      .$if(owner !== null, (query) =>
        query.where('issuer', '=', owner?.issuer ?? '').where('subject', '=', owner?.subject ?? ''),
      )
      .$if(before !== null, (query) =>
        query.where(sql<boolean>`(created_at, key_id) < (${before?.createdAt}, ${before?.keyId})`),
      )
      .orderBy('created_at', 'desc')
      .orderBy('key_id', 'desc')
      .limit(limit)
      .execute()
    return rows.map(asKey)
  },
  revoke: (revocation) => revoke(store, revocation),
  async used({ keyId, at, unlessSince }) {
    await store.db
      .updateTable('api_keys')
      .set({ last_used_at: at })
      .where('key_id', '=', keyId)
      .where((where) =>
        where.or([where('last_used_at', 'is', null), where('last_used_at', '<=', unlessSince)]),
      )
      .execute()
  },
})

async function create({ engine, db }: Sql, key: KeyRecord, max: number): Promise<'created' | 'too_many'> {
  return await db.transaction().execute(async (tx) => {
    const { issuer, subject, name, access, experiments, createdAt: at, expiresAt } = key
    const actor = `${issuer} ${subject}`
    // One at a time for one owner, who may have no row yet that could be locked. SQLite has one writer anyway.
    if (engine === 'postgres')
      await sql`select pg_advisory_xact_lock(hashtextextended(${`API keys of ${actor}`}, 0))`.execute(tx)
    const { total } = await tx
      .selectFrom('api_keys')
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .where('issuer', '=', issuer)
      .where('subject', '=', subject)
      .executeTakeFirstOrThrow()
    if (total >= max) return 'too_many'
    await tx.insertInto('api_keys').values(rowOf(key)).execute()
    const details = { name, access, experiments, expiresAt }
    await writeAudit(tx, { at, actor, action: 'key_created', subject: key.keyId, details })
    return 'created'
  })
}

async function revoke(
  { db }: Sql,
  { keyId, owner, actor, now }: Parameters<KeyStore['revoke']>[0],
): Promise<boolean> {
  return await db.transaction().execute(async (tx) => {
    const gone = await tx
      .deleteFrom('api_keys')
      .where('key_id', '=', keyId)
      .$if(owner !== null, (query) =>
        query.where('issuer', '=', owner?.issuer ?? '').where('subject', '=', owner?.subject ?? ''),
      )
      .returning(['issuer', 'subject', 'name'])
      .executeTakeFirst()
    if (!gone) return false
    const details = { owner: `${gone.issuer} ${gone.subject}`, name: gone.name }
    await writeAudit(tx, { at: now, actor, action: 'key_revoked', subject: keyId, details })
    return true
  })
}

const rowOf = (key: KeyRecord): Tables['api_keys'] => ({
  key_id: key.keyId,
  key_hash: key.hash,
  issuer: key.issuer,
  subject: key.subject,
  verified_email: key.verifiedEmail,
  name: key.name,
  access: key.access,
  experiments: key.experiments && JSON.stringify(key.experiments),
  created_at: key.createdAt,
  last_used_at: key.lastUsedAt,
  expires_at: key.expiresAt,
})

const asKey = (row: Selectable<Tables['api_keys']>): KeyRecord => ({
  keyId: row.key_id,
  hash: row.key_hash,
  issuer: row.issuer,
  subject: row.subject,
  verifiedEmail: row.verified_email,
  name: row.name,
  access: asAccess(row.access),
  experiments: row.experiments === null ? null : JSON.parse(row.experiments),
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
  expiresAt: row.expires_at,
})

/** Any other value reads only. */
const asAccess = (text: string): KeyAccess => (text === 'write' ? 'write' : 'read')
