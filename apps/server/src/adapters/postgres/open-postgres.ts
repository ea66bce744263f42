import { Kysely, PostgresDialect, type PostgresPool } from 'kysely'
import pg from 'pg'
import { asRefusal, isUnavailable } from '../sql/failures.ts'
import { migrateToLatest } from '../sql/migrations.ts'
import { callerOf, createStores, type Database, storesThrough } from '../sql/stores.ts'
import type { Tables } from '../sql/tables.ts'

/** A client that hears nothing must answer 503 within two seconds; so no wait may be longer than this. */
const patienceMs = 1_500

/** Counts and times fit into a double; as numbers both engines give the same rows. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8 || oid === pg.types.builtins.NUMERIC
      ? Number
      : pg.types.getTypeParser(oid, format as 'text'),
}

export async function openPostgres(url: string, onIdleError: (error: Error) => void): Promise<Database> {
  await migrate(url)
  const pool = new pg.Pool({
    connectionString: url,
    types,
    max: 10,
    connectionTimeoutMillis: patienceMs,
    query_timeout: patienceMs,
    statement_timeout: patienceMs,
    application_name: 'atrium',
  })
  pool.on('error', onIdleError)
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: droppingBroken(pool) }) })
  const call = callerOf(createStores({ engine: 'postgres', db }))
  return {
    ...storesThrough(async (store, method, args) => {
      try {
        return await call(store, method, args)
      } catch (error) {
        throw asRefusal(error)
      }
    }),
    close: () => db.destroy(),
  }
}

/** Without the short time-outs: an instance may wait long for another one that migrates. */
async function migrate(url: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, max: 2, types, connectionTimeoutMillis: 10_000 })
  const db = new Kysely<never>({ dialect: new PostgresDialect({ pool }) })
  try {
    await migrateToLatest(db)
  } finally {
    await db.destroy()
  }
}

/**
 * A connection whose query timed out still waits for that answer; back in the pool it would hand the wait to the
 * next caller. So a connection that failed this way is closed instead of reused.
 */
function droppingBroken(pool: pg.Pool): PostgresPool {
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect()
      let isBroken = false
      return Object.create(client, {
        query: {
          value: async (...args: [string, unknown[]]) => {
            try {
              return await client.query(...args)
            } catch (error) {
              isBroken ||= isUnavailable(error)
              throw error
            }
          },
        },
        release: { value: () => client.release(isBroken) },
      })
    },
  } as PostgresPool
}
