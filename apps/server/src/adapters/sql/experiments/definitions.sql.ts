import type { WrittenDefinition } from '@atrium/contract'
import type { Sql } from '../tables.ts'

/** A revision's definition as it was saved; undefined when there is no such revision. */
export async function readDefinition(
  { db }: Sql,
  experimentId: string,
  revision: number,
): Promise<WrittenDefinition | undefined> {
  const row = await db
    .selectFrom('experiment_revisions')
    .select('definition')
    .where('experiment_id', '=', experimentId)
    .where('revision', '=', revision)
    .executeTakeFirst()
  return row && JSON.parse(row.definition)
}
