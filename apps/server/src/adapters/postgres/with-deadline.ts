import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import { isPlanOutdated, isUnavailable } from '../sql/failures.ts'
import { PreparedStatements } from './prepared-statements.ts'

/**
 * A pool whose connections are always returned in time: waiting for a connection and all statements of a transaction
 * share one time-out. With a time-out per statement, we would wait twice for a database that stops half-way: for the
 * statement, then for its rollback.
 */
export function withDeadline(pool: pg.Pool, patienceMs: number): PostgresPool {
  const statements = new PreparedStatements()
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const deadline = performance.now() + patienceMs
      return leaseOf(await pool.connect(), deadline, statements)
    },
  }
}

function leaseOf(
  client: pg.PoolClient,
  deadline: number,
  statements: PreparedStatements,
): PostgresPoolClient {
  let failure: unknown
  // A connection that dies while in use also emits an error; without a listener that would end the process.
  const onError = (error: Error) => {
    failure ??= error
  }
  client.on('error', onError)

  async function query(text: string, values: readonly unknown[]): Promise<pg.QueryResult> {
    // It still waits for the late answer; nothing sent after it would be answered either.
    if (failure) throw failure
    const query_timeout = Math.max(1, Math.ceil(deadline - performance.now()))
    // Statements without values (begin, commit) need no plan and are sent as they are.
    const name = values.length > 0 ? statements.nameOf(text) : undefined
    try {
      return await client.query({ name, text, values: [...values], query_timeout } as pg.QueryConfig)
    } catch (error) {
      if (isUnavailable(error)) failure ??= error
      if (isPlanOutdated(error)) statements.forget()
      throw error
    }
  }

  const lease = {
    query,
    release(isDiscarded?: boolean) {
      client.off('error', onError)
      // Closed instead of reused, or the next caller would inherit the wait.
      client.release(failure !== undefined || isDiscarded === true)
    },
  }
  // Kysely's type also has cursors, which only streaming uses.
  return lease as unknown as PostgresPoolClient
}
