import { type TrialRow, tableIdsIn, type WrittenDefinition, withRows } from '@atrium/contract'
import { sql } from 'kysely'
import { namedIds } from '../row-set.ts'
import type { Sql } from '../tables.ts'
import { deleteUnpinned, readContents } from './trial-tables.sql.ts'

/** Whether a table that the definition names is gone since it was checked. If not, it stays until we commit. */
export async function isTableGone({ engine, db }: Sql, definition: WrittenDefinition): Promise<boolean> {
  const named = tableIdsIn(definition)
  if (named.length === 0) return false
  const present = await db
    .selectFrom('trial_tables')
    .select('table_id')
    .where('table_id', 'in', sql<string>`(select named.id from ${namedIds(engine, named)})`)
    .orderBy('table_id')
    .$if(engine === 'postgres', (query) => query.forShare())
    .execute()
  return present.length < named.length
}

/** RM214: from now on the revision has these rows, whatever becomes of the tables. */
export async function pinTables(
  { engine, db }: Sql,
  { experimentId, definition }: { experimentId: string; definition: WrittenDefinition },
  revision: number,
): Promise<void> {
  const named = tableIdsIn(definition)
  if (named.length > 0)
    await sql`insert into pinned_tables (experiment_id, revision, table_id, sha256)
      select ${experimentId}, ${revision}, t.table_id, t.sha256 from ${namedIds(engine, named)}
      join trial_tables t on t.table_id = named.id`.execute(db)
}

/** For an experiment that is being deleted: what only it still used goes with it. */
export async function unpinTables(store: Sql, experimentId: string): Promise<void> {
  const pinned = await store.db
    .deleteFrom('pinned_tables')
    .where('experiment_id', '=', experimentId)
    .returning('table_id')
    .execute()
  await deleteUnpinned(store, [...new Set(pinned.map(({ table_id }) => table_id))])
}

/** The definition with the rows of its tables in their place. */
export async function filledDefinition(
  store: Sql,
  definition: WrittenDefinition,
): Promise<WrittenDefinition> {
  const named = tableIdsIn(definition)
  if (named.length === 0) return definition
  const found = await readContents(store, named)
  return withRows(
    definition,
    new Map(found.map(({ tableId, content }) => [tableId, JSON.parse(content) as TrialRow[]])),
  )
}
