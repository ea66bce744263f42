import type { Sql } from '../tables.ts'

/**
 * Reads what belongs together as it was at one moment: between two statements, a change may move from the list of changes
 * into the figures.
 */
export async function inSnapshot<Result>(
  { engine, db }: Sql,
  read: (snapshot: Sql) => Promise<Result>,
): Promise<Result> {
  const transaction = db.transaction()
  const whole = engine === 'postgres' ? transaction.setIsolationLevel('repeatable read') : transaction
  return await whole.execute((tx) => read({ engine, db: tx }))
}
