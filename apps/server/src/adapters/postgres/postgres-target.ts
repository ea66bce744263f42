import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { TransferRefused } from '../../kernel/transfer-errors.ts'
import type { DataTarget } from '../../ports/transfer.ts'
import { listMissedStreams } from '../sql/figures/missed-streams.sql.ts'
import { recordTables } from '../sql/migrations/migration-record.ts'
import { migrateUpTo } from '../sql/migrations/migrations.ts'
import { postgresColumnsOf, postgresRows, quoted } from './postgres-rows.ts'
import { connectForTransfer, isTransferUnfinished, unfinishedTable } from './transfer.ts'

/** Any number that nobody else uses: two transfers into one database would mix. */
const lockNumber = 7_203_911

/**
 * Fills an empty database. A table of its own marks it as unfinished: servers refuse to start on it, and once it has a row,
 * the next transfer removes what is there. One transaction for everything would not need it, but Kysely's migrations
 * commit by themselves.
 */
export async function openPostgresTarget(url: string, tables: readonly string[]): Promise<DataTarget> {
  const client = await connectForTransfer(url)
  const ours = [...tables.toReversed(), ...recordTables]
  let hasBegun = false
  try {
    await lockTransfers(client)
    hasBegun = await hasLeftovers(client)
    if (!hasBegun) await refuseUnlessEmpty(client, ours)
    // At once: before the tables are filled, videos are copied, and a server that starts meanwhile would take part.
    await client.query(`create table if not exists ${unfinishedTable} (begun_at timestamptz)`)
  } catch (error) {
    await client.end()
    throw error
  }

  return {
    async begin(lastMigration) {
      // A server may have looked for the mark just before it was there.
      if (!hasBegun) await refuseUnlessEmpty(client, ours)
      await client.query(`insert into ${unfinishedTable} values (now())`)
      hasBegun = true
      for (const table of ours) await client.query(`drop table if exists ${quoted(table)}`)
      await migrate(url, lastMigration)
      await setTriggers(client, tables, 'disable')
      // The last step waits for the disk, and so for everything before it.
      await client.query('set synchronous_commit = off')
    },
    async insert(table, columns, rows) {
      const names = columns.map(quoted).join()
      await client.query(
        `insert into ${quoted(table)} (${names}) select ${names} from json_populate_recordset(null::${quoted(table)}, $1::json)`,
        [JSON.stringify(rows)],
      )
    },
    async *rows(table, columns) {
      await client.query('begin read only')
      yield* postgresRows(client, table, columns)
      await client.query('commit')
    },
    async finish() {
      await setTriggers(client, tables, 'enable')
      await migrate(url, 'newest')
      await client.query(listMissedStreams)
      for (const table of tables) await continueNumbers(client, table)
      // Otherwise the planner knows nothing of the tables until PostgreSQL comes to analyse them by itself.
      await client.query('analyze')
      await client.query('set synchronous_commit = on')
      await client.query(`drop table ${unfinishedTable}`)
    },
    async close() {
      // Refused before it began: the database is as it was.
      try {
        if (!hasBegun) await client.query(`drop table if exists ${unfinishedTable}`)
      } finally {
        await client.end()
      }
    },
  }
}

async function lockTransfers(client: pg.Client): Promise<void> {
  const locked = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
    lockNumber,
  ])
  if (!locked.rows[0]?.locked)
    throw new TransferRefused('Another restore or move into this database is under way.')
}

/** Whether tables that are there were made by a transfer that was interrupted. */
async function hasLeftovers(client: pg.Client): Promise<boolean> {
  if (!(await isTransferUnfinished(client))) return false
  const { rows } = await client.query(`select from ${unfinishedTable} limit 1`)
  return rows.length > 0
}

async function refuseUnlessEmpty(client: pg.Client, tables: readonly string[]): Promise<void> {
  for (const table of tables)
    if ((await postgresColumnsOf(client, table)).length > 0)
      throw new TransferRefused(
        `The PostgreSQL database is not empty: it has a table named ${table}, which is never overwritten.`,
      )
}

/** What triggers have made of rows comes along with them, and must not be made again. */
async function setTriggers(
  client: pg.Client,
  tables: readonly string[],
  change: 'disable' | 'enable',
): Promise<void> {
  const { rows } = await client.query<{ table: string }>(
    `select distinct relname::text as table from pg_trigger join pg_class on pg_class.oid = tgrelid
    where not tgisinternal and relnamespace = current_schema()::regnamespace and relname = any($1)`,
    [tables],
  )
  for (const { table } of rows) await client.query(`alter table ${quoted(table)} ${change} trigger user`)
}

/** Rows came with their numbers, which the counter of their column has not seen. */
async function continueNumbers(client: pg.Client, table: string): Promise<void> {
  const { rows } = await client.query<{ column_name: string }>(
    `select column_name from information_schema.columns
    where table_schema = current_schema() and table_name = $1 and is_identity = 'YES'`,
    [table],
  )
  for (const { column_name: column } of rows)
    await client.query(
      `select setval(pg_get_serial_sequence($1, $2), max(${quoted(column)})) from ${quoted(table)} having max(${quoted(column)}) is not null`,
      [table, column],
    )
}

async function migrate(url: string, last: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, max: 2 })
  pool.on('error', () => undefined)
  const db = new Kysely<never>({ dialect: new PostgresDialect({ pool }) })
  try {
    await migrateUpTo(last, 'postgres', db)
  } finally {
    await db.destroy()
  }
}
