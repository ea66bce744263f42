import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Sight } from '../../../modules/experiments/index.ts'
import type { TableRecord, TableStore } from '../../../modules/tables/tables.store.ts'
import { experimentsIn } from '../experiments/visible-experiments.sql.ts'
import { writeAudit } from '../operations.sql.ts'
import { namedIds } from '../row-set.ts'
import { forUpdate, type Sql, type Tables } from '../tables.ts'

const heads = [
  ...(['table_id', 'owner', 'name', 'columns', 'row_count', 'bytes', 'sha256', 'created_at'] as const),
] as const

export const createTableStore = (store: Sql): TableStore => ({
  create: (table, max) => create(store, table, max),
  async list(owner, limit) {
    const rows = await store.db
      .selectFrom('trial_tables')
      .select(heads)
      .where('owner', '=', owner)
      .where('removed_at', 'is', null)
      .orderBy('created_at', 'desc')
      .orderBy('table_id', 'desc')
      .limit(limit)
      .execute()
    return rows.map(asRecord)
  },
  async visible(tableIds, sight) {
    if (tableIds.length === 0) return []
    const rows = await store.db
      .selectFrom('trial_tables as t')
      .select([...heads, 'content'])
      .where('t.table_id', 'in', idsAmong(store, tableIds))
      .where(isSeen(sight))
      .execute()
    return rows.map((row) => ({ ...asRecord(row), content: row.content }))
  },
  contents: (tableIds) => readContents(store, tableIds),
  remove: (removal) => remove(store, removal),
})

export async function readContents(
  store: Sql,
  tableIds: readonly string[],
): Promise<{ tableId: string; content: string }[]> {
  return await store.db
    .selectFrom('trial_tables')
    .select(['table_id as tableId', 'content'])
    .where('table_id', 'in', idsAmong(store, tableIds))
    .execute()
}

const idsAmong = ({ engine }: Sql, ids: readonly string[]): RawBuilder<string> =>
  sql<string>`(select named.id from ${namedIds(engine, ids)})`

/** One's own, unless deleted, and those that any revision of a visible experiment uses. */
function isSeen(sight: Sight): RawBuilder<boolean> {
  if (sight.owners === null) return sql`1 = 1`
  const isInExperiment = sql<boolean>`t.table_id in (
    select table_id from pinned_tables where experiment_id in (${experimentsIn(sight, sight.owners)}))`
  return sight.limitedTo
    ? isInExperiment
    : sql`((t.owner in (${sql.join(sight.owners)}) and t.removed_at is null) or ${isInExperiment})`
}

async function create(
  { engine, db }: Sql,
  table: TableRecord & { content: string },
  max: number,
): Promise<'created' | 'too_many'> {
  return await db.transaction().execute(async (tx) => {
    const { tableId, owner, name, columns, rowCount, bytes, sha256, content, createdAt: at } = table
    // One at a time for one owner, who may have no row yet that could be locked. SQLite has one writer anyway.
    if (engine === 'postgres')
      await sql`select pg_advisory_xact_lock(hashtextextended(${`tables of ${owner}`}, 0))`.execute(tx)
    const { total } = await tx
      .selectFrom('trial_tables')
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .where('owner', '=', owner)
      .where('removed_at', 'is', null)
      .executeTakeFirstOrThrow()
    if (total >= max) return 'too_many'
    await tx
      .insertInto('trial_tables')
      .values({
        ...{ table_id: tableId, owner, name, bytes, sha256, content },
        columns: JSON.stringify(columns),
        row_count: rowCount,
        created_at: at,
        removed_at: null,
      })
      .execute()
    const details = { name, rows: rowCount }
    await writeAudit(tx, { at, actor: owner, action: 'table_created', subject: tableId, details })
    return 'created'
  })
}

async function remove(
  { engine, db }: Sql,
  { tableId, owner, actor, now }: Parameters<TableStore['remove']>[0],
): Promise<boolean> {
  return await db.transaction().execute(async (tx) => {
    const found = await tx
      .selectFrom('trial_tables')
      .select(['owner', 'name'])
      .where('table_id', '=', tableId)
      .where('removed_at', 'is', null)
      .$if(owner !== null, (query) => query.where('owner', '=', owner ?? ''))
      .$call(forUpdate(engine))
      .executeTakeFirst()
    if (!found) return false
    await tx.updateTable('trial_tables').set({ removed_at: now }).where('table_id', '=', tableId).execute()
    await deleteUnpinned({ engine, db: tx }, [tableId])
    const details = { owner: found.owner, name: found.name }
    await writeAudit(tx, { at: now, actor, action: 'table_deleted', subject: tableId, details })
    return true
  })
}

/** Deleted tables that no revision uses any more. Whoever pins one has locked its row until it is pinned. */
export async function deleteUnpinned(store: Sql, tableIds: readonly string[]): Promise<void> {
  if (tableIds.length === 0) return
  await store.db
    .deleteFrom('trial_tables')
    .where('table_id', 'in', idsAmong(store, tableIds))
    .where('removed_at', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('pinned_tables as p')
            .select('p.table_id')
            .whereRef('p.table_id', '=', 'trial_tables.table_id'),
        ),
      ),
    )
    .execute()
}

const asRecord = (row: Pick<Selectable<Tables['trial_tables']>, (typeof heads)[number]>): TableRecord => ({
  tableId: row.table_id,
  owner: row.owner,
  name: row.name,
  columns: JSON.parse(row.columns),
  rowCount: row.row_count,
  bytes: row.bytes,
  sha256: row.sha256,
  createdAt: row.created_at,
})
