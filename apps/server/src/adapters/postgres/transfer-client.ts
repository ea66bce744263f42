import pg from 'pg'
import { numberTypes } from './number-types.ts'

const connectMs = 10_000

/** Reading or filling a table may take minutes, so the limits of a server's connections do not hold here. */
export async function connectForTransfer(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    types: numberTypes,
    application_name: 'atrium transfer',
    connectionTimeoutMillis: connectMs,
    statement_timeout: 0,
    idle_in_transaction_session_timeout: 0,
  })
  // The statement under way fails, too; without a listener the program would end without a sentence.
  client.on('error', () => undefined)
  await client.connect()
  return client
}
