import { sql } from 'kysely'
import type { AuditEntry, OperationsStore } from '../../modules/operations/operations.store.ts'
import type { Sql } from './tables.ts'

export const createOperationsStore = ({ db }: Sql): OperationsStore => ({
  async ping() {
    await sql`select 1`.execute(db)
  },
  audit: (entry) => writeAudit(db, entry),
})

export async function writeAudit(db: Sql['db'], { details, ...entry }: AuditEntry): Promise<void> {
  await db
    .insertInto('audit_log')
    .values({ ...entry, details: JSON.stringify(details) })
    .execute()
}
