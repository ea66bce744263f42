import type pg from 'pg'
import type { Row } from '../../ports/transfer.ts'

/** Rows of these tables may have several MB each. */
const wideTables = new Set(['room_snapshots', 'experiment_revisions', 'agent_calls'])
const rowsAtOnce = { wide: 8, narrow: 500 }

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

export async function postgresColumnsOf(client: pg.Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ column_name: string }>(
    'select column_name from information_schema.columns where table_schema = current_schema() and table_name = $1',
    [table],
  )
  return rows.map(({ column_name }) => column_name).sort()
}

/** Only within a transaction: a cursor lives as long as that. */
export async function* postgresRows(
  client: pg.Client,
  table: string,
  columns: readonly string[],
): AsyncGenerator<Row[]> {
  const cursor = quoted(`all_${table}`)
  await client.query(
    `declare ${cursor} no scroll cursor for select ${columns.map(quoted).join()} from ${quoted(table)}`,
  )
  const atOnce = rowsAtOnce[wideTables.has(table) ? 'wide' : 'narrow']
  for (;;) {
    const { rows } = await client.query<Row>(`fetch ${atOnce} from ${cursor}`)
    if (rows.length === 0) break
    yield rows
  }
  await client.query(`close ${cursor}`)
}
