import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { failOnIdleError } from '../../../../test/stores/engines.ts'
import { createStores } from '../../sql/stores.ts'
import type { Tables } from '../../sql/tables.ts'
import { numberTypes } from '../number-types.ts'

export type Recording = ReturnType<typeof recordStatements>

/** Stores on one connection, so that there is one transaction after another, and the statements of each. */
export function recordStatements(connectionString: string) {
  const transactions: string[][] = []
  const pool = new pg.Pool({ connectionString, types: numberTypes, max: 1 })
  pool.on('error', failOnIdleError)
  pool.on('connect', (client) => {
    const send = client.query.bind(client) as (...args: unknown[]) => unknown
    client.query = ((text: unknown, ...more: unknown[]) => {
      if (text === 'begin') transactions.push([])
      else transactions.at(-1)?.push(String(text))
      return send(text, ...more)
    }) as typeof client.query
  })
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  return {
    stores: createStores({ engine: 'postgres', db }),
    transactions,
    close: () => db.destroy(),
  }
}
