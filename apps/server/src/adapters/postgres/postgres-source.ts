import { TransferRefused } from '../../kernel/transfer-errors.ts'
import type { DataSource } from '../../ports/transfer.ts'
import { recordIn } from '../sql/migrations/migration-record.ts'
import { postgresColumnsOf, postgresRows } from './postgres-rows.ts'
import { connectForTransfer, isTransferUnfinished } from './transfer.ts'

/** The tables at one moment, while all instances go on: one repeatable-read transaction. */
export async function openPostgresSource(url: string): Promise<DataSource> {
  const client = await connectForTransfer(url)
  try {
    await client.query('begin isolation level repeatable read read only')
    if (await isTransferUnfinished(client))
      throw new TransferRefused('A restore or a move into this database was interrupted: it is not complete.')
    const { rows: tables } = await client.query<{ name: string }>(
      'select tablename::text as name from pg_tables where schemaname = current_schema()',
    )
    const record = recordIn((table) => tables.some(({ name }) => name === table))
    if (record === undefined) throw new TransferRefused('The database (DATABASE_URL) is empty.')
    const { rows } = await client.query<{ name: string }>(`select name from ${record} order by name`)
    return {
      engine: 'postgres',
      migrations: rows.map(({ name }) => name),
      columnsOf: (table) => postgresColumnsOf(client, table),
      rows: (table, columns) => postgresRows(client, table, columns),
      close: () => client.end(),
    }
  } catch (error) {
    await client.end()
    throw error
  }
}
