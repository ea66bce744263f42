import { join } from 'node:path'
import { createFolderInMemory, createMigratedDatabase, isLongRun } from '@atrium/testkit'
import Sqlite from 'better-sqlite3'
import pg from 'pg'
import { afterAll, beforeAll, describe, onTestFinished } from 'vitest'
import { openPostgres } from '../../src/adapters/postgres/open-postgres.ts'
import type { Database } from '../../src/adapters/sql/stores.ts'
import { openSqlite } from '../../src/adapters/sqlite/open-sqlite.ts'

export interface Engine {
  kind: 'sqlite' | 'postgres'
  database: Database
  /** Reads directly from the database what stores write but never return, such as the audit log. */
  rows(sql: string): Promise<Record<string, unknown>[]>
  /** Writes directly to the database what only another version would write. */
  change(sql: string): Promise<void>
  close(): Promise<void>
}

/** Registers the same tests for both engines: PostgreSQL must behave exactly like SQLite. */
export function describeOnBothEngines(name: string, body: (engine: () => Engine) => void): void {
  describeOn(['sqlite', 'postgres'], name, body)
}

/** For rules above the stores: `npm test` runs them on SQLite, `npm run test:long` on PostgreSQL. */
export function describeOnOneEngine(name: string, body: (engine: () => Engine) => void): void {
  describeOn([isLongRun ? 'postgres' : 'sqlite'], name, body)
}

function describeOn(
  kinds: ('sqlite' | 'postgres')[],
  name: string,
  body: (engine: () => Engine) => void,
): void {
  describe.each(kinds)(`${name} (%s)`, (kind) => {
    let engine: Engine | undefined
    beforeAll(async () => {
      engine = kind === 'sqlite' ? await sqliteEngine() : await postgresEngine()
    })
    afterAll(() => engine?.close())
    body(() => {
      if (!engine) throw new Error('the engine opens in beforeAll: use it inside tests and hooks')
      return engine
    })
  })
}

async function sqliteEngine(): Promise<Engine> {
  const folder = createFolderInMemory('sqlite')
  const database = await openSqlite(folder.path)
  const outsider = new Sqlite(join(folder.path, 'atrium.db'))
  return {
    kind: 'sqlite',
    database,
    rows: async (sql) => outsider.prepare(sql).all() as Record<string, unknown>[],
    change: async (sql) => void outsider.exec(sql),
    async close() {
      outsider.close()
      await database.close()
      folder.remove()
    },
  }
}

async function postgresEngine(): Promise<Engine> {
  const url = await createMigratedDatabase()
  const database = await openPatiently(url)
  const rows = (sql: string) => queryPostgres(url, sql)
  const change = async (sql: string) => void (await rows(sql))
  return { kind: 'postgres', database, rows, change, close: () => database.close() }
}

/** For tests that do not depend on timing: locks never time out on a busy machine (R41). */
export const openPatiently = (url: string): Promise<Database> =>
  openPostgres(url, failOnIdleError, {
    patienceMs: 60_000,
    snapshotPatienceMs: 60_000,
    idleInTransactionMs: 60_000,
  })

export const failOnIdleError = (error: Error): void => {
  throw error
}

export async function queryPostgres(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined) // A dropped connection also rejects the query.
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

/** Locks rows like an instance that stopped in the middle of a transaction. */
export async function holdRows(url: string, query: string): Promise<{ release(): Promise<void> }> {
  const client = new pg.Client({ connectionString: url })
  // A failed test leaves its lock behind, and its database is stopped while it is held.
  client.on('error', () => undefined)
  onTestFinished(() => client.end())
  await client.connect()
  await client.query('begin')
  await client.query(`${query} for update`)
  return { release: () => client.end() }
}

export const holdStream = (url: string, sessionId: string) =>
  holdRows(url, `select * from event_streams where session_id = '${sessionId}'`)
