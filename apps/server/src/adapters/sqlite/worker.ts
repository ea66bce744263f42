import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import Sqlite from 'better-sqlite3'
import { Kysely, type SqliteDatabase, type SqliteStatement } from 'kysely'
import { listMissedStreams } from '../sql/figures/missed-streams.sql.ts'
import { migrateToLatest } from '../sql/migrations/migrations.ts'
import { createStoreCall, createStores } from '../sql/stores.ts'
import type { Tables } from '../sql/tables.ts'
import { holdFolderAlone } from './folder-lock.ts'
import type { StoreReply, StoreRequest, WorkerMessage } from './messages.ts'
import { WholeMigrationsDialect } from './whole-migrations.ts'

/**
 * The embedded database has a thread of its own: `synchronous=FULL` waits for the disk at every commit, and that
 * wait must not stop the event loop of the server.
 */
const port = parentPort
if (!port) throw new Error('this file runs as a worker thread')
const send = (message: WorkerMessage) => port.postMessage(message)

function openDatabase(dataDir: string): Sqlite.Database {
  const database = new Sqlite(join(dataDir, 'atrium.db'))
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  // Somebody with a tool of their own may hold the lock. The wait stops this thread, so that calls wait in turn.
  database.pragma('busy_timeout = 500')
  database.pragma('foreign_keys = ON')
  // R48: what is deleted is overwritten with zeros.
  database.pragma('secure_delete = ON')
  // Events of many sessions dirty the same pages of the index again and again; copied into the file every 16 MiB
  // instead of every 4, each is copied less often. A start after a crash reads that much back.
  database.pragma('wal_autocheckpoint = 4000')
  return database
}

/** Kysely prepares every query again, and preparing costs more than running most of ours. */
function withPreparedStatements(database: Sqlite.Database): SqliteDatabase {
  const prepared = new Map<string, SqliteStatement>()
  return {
    close: () => database.close(),
    prepare(sql) {
      const known = prepared.get(sql)
      if (known) return known
      if (prepared.size >= 500) prepared.clear()
      const statement = sql === 'rollback' ? rollbackOf(database) : database.prepare(sql)
      prepared.set(sql, statement)
      return statement
    },
  }
}

/**
 * When the disk is full or fails, SQLite has already rolled back. Another rollback would fail, and that error would
 * hide the cause.
 */
function rollbackOf(database: Sqlite.Database): SqliteStatement {
  const statement = database.prepare('rollback')
  const nothing = { changes: 0, lastInsertRowid: 0 }
  return {
    reader: false,
    all: () => [],
    iterate: () => [].values(),
    run: () => (database.inTransaction ? statement.run() : nothing),
  }
}

/**
 * Sees what is committed when each statement starts. No statement is left open, or the write-ahead log would keep
 * growing.
 */
function openForReading(dataDir: string): Sqlite.Database {
  const database = new Sqlite(join(dataDir, 'atrium.db'), { readonly: true, fileMustExist: true })
  database.pragma('busy_timeout = 500')
  return database
}

async function serve(): Promise<void> {
  const { dataDir, access } = workerData
  const lock = access === 'write' ? holdFolderAlone(dataDir) : undefined
  const database = access === 'write' ? openDatabase(dataDir) : openForReading(dataDir)
  const db = new Kysely<Tables>({
    dialect: new WholeMigrationsDialect({ database: withPreparedStatements(database) }),
  })
  if (access === 'write') {
    await migrateToLatest('sqlite', db as unknown as Kysely<never>)
    database.exec(listMissedStreams)
  }
  const call = createStoreCall(createStores({ engine: 'sqlite', db }))
  port?.on('message', async (request: StoreRequest | 'close') => {
    if (request === 'close') {
      await db.destroy()
      lock?.close()
      process.exit(0)
    }
    send({ kind: 'reply', reply: await answer(call, request) })
  })
  send({ kind: 'ready' })
}

async function answer(call: ReturnType<typeof createStoreCall>, request: StoreRequest): Promise<StoreReply> {
  try {
    return { id: request.id, ok: true, value: await call(request.store, request.method, request.args) }
  } catch (error) {
    const { message, code } = error as { message: string; code?: string }
    return { id: request.id, ok: false, error: { message, code: code ?? '' } }
  }
}

serve().catch((error: Error) => send({ kind: 'failed', message: error.message }))
