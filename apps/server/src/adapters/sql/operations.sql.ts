import { sql } from 'kysely'
import { hideSessionIds } from '../../kernel/ids.ts'
import { readSignature } from '../../kernel/signature.ts'
import type { AuditEntry, OperationsStore } from '../../modules/operations/operations.store.ts'
import { researchersIn } from './researchers.sql.ts'
import type { Sql } from './tables.ts'

export const createOperationsStore = ({ engine, db }: Sql): OperationsStore => ({
  async ping() {
    await sql`select 1`.execute(db)
  },
  async checkWritable(now) {
    // One row for all instances, updated in place, so that frequent checks leave nothing behind.
    await db
      .insertInto('write_checks')
      .values({ id: 1, at: now })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ at: now }))
      .execute()
    if (engine === 'postgres') await checkPostgresSpace(db)
  },
  async time() {
    if (engine === 'sqlite') return Date.now()
    const { rows } = await sql<{ ms: number }>`
      select (extract(epoch from clock_timestamp()) * 1000)::bigint as ms`.execute(db)
    return rows[0]?.ms ?? Date.now()
  },
  ...researchersIn({ db }),
  audit: (entry) => writeAudit(db, entry),
  async auditPage({ limit, before }) {
    const rows = await db
      .selectFrom('audit_log')
      .selectAll()
      .$if(before !== null, (query) => query.where('entry_no', '<', before))
      .orderBy('entry_no', 'desc')
      .limit(limit)
      .execute()
    return rows.map(({ entry_no: entry, details, ...row }) => ({
      entry,
      ...row,
      details: JSON.parse(hideSessionIds(details)),
    }))
  },
})

/**
 * Fails when the database cannot grow. The row above fits into a page that PostgreSQL has, so it is written even to a full
 * disk. This is 1 MiB that does not fit into the memory of the statement and goes into a temporary file, which leaves
 * nothing behind: no rows, no log, nothing in the catalogue. It measures the disk of the database unless `temp_tablespaces`
 * names another one.
 */
const checkPostgresSpace = (db: Sql['db']): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    await sql`set local work_mem = '64kB'`.execute(transaction)
    await sql`with filling as materialized (select repeat('x', 8192) from generate_series(1, 128))
      select count(*) from filling`.execute(transaction)
  })

/** R49: what a script did is told from what its owner did by `keyId`. */
export async function writeAudit(db: Sql['db'], { actor, details, ...entry }: AuditEntry): Promise<void> {
  const { person, keyId } = readSignature(actor)
  const told = keyId === undefined ? details : { ...details, keyId }
  await db
    .insertInto('audit_log')
    .values({ ...entry, actor: person, details: JSON.stringify(told) })
    .execute()
}
