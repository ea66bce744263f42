import type Sqlite from 'better-sqlite3'
import type { Row } from '../../ports/transfer.ts'

const rowsAtOnce = 500
/** Snapshots of rooms have up to several MB. */
const charactersAtOnce = 2 ** 20

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

export function sqliteColumnsOf(database: Sqlite.Database, table: string): string[] {
  const columns = database.prepare<[string], { name: string }>('select name from pragma_table_info(?)')
  return columns
    .all(table)
    .map(({ name }) => name)
    .sort()
}

export async function* sqliteRows(
  database: Sqlite.Database,
  table: string,
  columns: readonly string[],
): AsyncGenerator<Row[]> {
  const all = database.prepare<[], Row>(`select ${columns.map(quoted).join()} from ${quoted(table)}`)
  let page: Row[] = []
  let characters = 0
  for (const row of all.iterate()) {
    page.push(row)
    for (const value of Object.values(row)) if (typeof value === 'string') characters += value.length
    if (page.length < rowsAtOnce && characters < charactersAtOnce) continue
    yield page
    page = []
    characters = 0
  }
  if (page.length > 0) yield page
}
