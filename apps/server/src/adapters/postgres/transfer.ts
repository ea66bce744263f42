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

/** Exists from the moment a transfer has found the database empty until it is complete. It has a row once tables are filled. */
export const unfinishedTable = 'atrium_unfinished_transfer'

interface Queried {
  query(text: string, values: unknown[]): Promise<{ rows: { found: boolean }[] }>
}

export async function isTransferUnfinished(database: Queried): Promise<boolean> {
  const { rows } = await database.query('select to_regclass($1) is not null as found', [unfinishedTable])
  return rows[0]?.found ?? false
}

/** Without this, a server would start in the middle of a restore, with some of the data. */
export async function refuseUnfinishedTransfer(database: Queried): Promise<void> {
  if (await isTransferUnfinished(database))
    throw new Error(
      'a restore or a move into this database is under way or was interrupted. Run it again, or use an empty database',
    )
}
