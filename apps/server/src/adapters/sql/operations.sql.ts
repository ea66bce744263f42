import { sql } from 'kysely'
import type { AuditEntry, OperationsStore } from '../../modules/operations/operations.store.ts'
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
  },
  async time() {
    if (engine === 'sqlite') return Date.now()
    const { rows } = await sql<{ ms: number }>`
      select (extract(epoch from clock_timestamp()) * 1000)::bigint as ms`.execute(db)
    return rows[0]?.ms ?? Date.now()
  },
  audit: (entry) => writeAudit(db, entry),
})

export async function writeAudit(db: Sql['db'], { details, ...entry }: AuditEntry): Promise<void> {
  await db
    .insertInto('audit_log')
    .values({ ...entry, details: JSON.stringify(details) })
    .execute()
}
