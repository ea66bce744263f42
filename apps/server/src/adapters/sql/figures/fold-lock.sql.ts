import { sql } from 'kysely'
import type { Sql } from '../tables.ts'

/** Any number that nobody else uses. */
const lockNumber = 7_203_912

/**
 * Whether no other instance keeps the figures at this moment. Only one may: two would count the same events, and add to
 * the same rows in different orders. The lock ends with the transaction.
 */
export async function tryFoldLock({ engine, db }: Sql): Promise<boolean> {
  if (engine === 'sqlite') return true
  const { rows } = await sql<{
    locked: boolean
  }>`select pg_try_advisory_xact_lock(${sql.lit(lockNumber)}) as locked`.execute(db)
  return rows[0]?.locked === true
}
