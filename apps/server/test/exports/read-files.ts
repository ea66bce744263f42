import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type ExportFormat,
  type ExportTable,
  experimentRoutes,
  snakeName,
  type TableFormat,
} from '@atrium/contract'
import { createTemporaryFolder } from '@atrium/testkit'
import { DuckDBInstance } from '@duckdb/node-api'

/** A table as read back: cells by column, JSON parsed, times as epoch milliseconds. */
export interface ReadTable {
  /** By name in snake case: what Parquet says. */
  types: Record<string, string>
  rows: Record<string, unknown>[]
}

export interface Download {
  http: string
  token: string
  experimentId: string
  /** Absent for the file that says who people are. */
  table?: ExportTable
  query?: Record<string, string>
}

export async function download(
  { http, token, experimentId, table, query = {} }: Download,
  format: ExportFormat,
): Promise<Buffer> {
  const path = experimentRoutes.export.path.replace(':experimentId', experimentId)
  const search = new URLSearchParams({ format, ...(table && { table }), ...query })
  const answer = await fetch(`${http}${path}?${search}`, { headers: { authorization: `Bearer ${token}` } })
  const body = Buffer.from(await answer.arrayBuffer())
  if (answer.status !== 200) throw new Error(`${answer.status}: ${body}`)
  return body
}

/** The same table from each format, read by DuckDB where it is not JSON lines. */
export async function readEveryFormat(of: Download): Promise<Record<TableFormat, ReadTable>> {
  const folder = createTemporaryFolder('exports')
  const duckdb = await DuckDBInstance.create(':memory:')
  const connection = await duckdb.connect()
  const ask = async (sql: string) => (await connection.runAndReadAll(sql)).getRowObjectsJson()
  try {
    const parquetFile = join(folder.path, 'table.parquet')
    await writeFile(parquetFile, await download(of, 'parquet'))
    const described = await ask(`describe select * from '${parquetFile}'`)
    const types = Object.fromEntries(
      described.map(({ column_name, column_type }) => [String(column_name), String(column_type)]),
    )
    const names = Object.keys(types)
    const fromParquet = await ask(
      `select ${names.map((name) => plainColumn(name, types[name] ?? '')).join(', ')} from '${parquetFile}'`,
    )
    const csvFile = join(folder.path, 'table.csv')
    await writeFile(csvFile, await download(of, 'csv'))
    const fromCsv = await ask(
      `select * from read_csv('${csvFile}', header = true, all_varchar = true, delim = ',', quote = '"', escape = '"',
        allow_quoted_nulls = false, max_line_size = 20000000, auto_detect = false, new_line = '\\r\\n',
        columns = {${names.map((name) => `'${name}': 'VARCHAR'`).join(', ')}})`,
    )
    const lines = (await download(of, 'jsonl')).toString().split('\n').filter(Boolean)
    const fromLines = lines.map((line): Record<string, unknown> => JSON.parse(line))
    return {
      parquet: { types, rows: fromParquet.map((row) => converted(row, types, asParquet)) },
      csv: { types, rows: fromCsv.map((row) => converted(row, types, asCsv)) },
      jsonl: { types, rows: fromLines.map((row) => converted(snakeKeys(row), types, asJsonLine)) },
    }
  } finally {
    connection.closeSync()
    duckdb.closeSync()
    folder.remove()
  }
}

const isTime = (type: string) => type.startsWith('TIMESTAMP')
const isNumber = (type: string) => type === 'BIGINT' || type === 'DOUBLE'

const plainColumn = (name: string, type: string): string =>
  isTime(type) ? `epoch_ms("${name}") as "${name}"` : `"${name}"`

const snakeKeys = (row: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(row).map(([name, cell]) => [snakeName(name), cell]))

function converted(
  row: Record<string, unknown>,
  types: Record<string, string>,
  convert: (cell: unknown, type: string) => unknown,
): Record<string, unknown> {
  const strange = Object.keys(row).filter((name) => !Object.hasOwn(types, name))
  if (strange.length > 0) throw new Error(`Parquet does not have ${strange.join(', ')}`)
  return Object.fromEntries(
    Object.entries(types).map(([name, type]) => [name, row[name] == null ? null : convert(row[name], type)]),
  )
}

function asParquet(cell: unknown, type: string): unknown {
  if (type === 'JSON') return JSON.parse(String(cell))
  return isTime(type) || isNumber(type) ? Number(cell) : cell
}

/** As the documentation tells readers to. */
function asCsv(cell: unknown, type: string): unknown {
  const text = String(cell)
  if (type === 'JSON') return JSON.parse(text)
  if (isTime(type)) return Date.parse(text)
  if (isNumber(type)) return Number(text)
  return type === 'BOOLEAN' ? text === 'true' : text.replace(/^'/, '')
}

const asJsonLine = (cell: unknown, type: string): unknown => (isTime(type) ? Date.parse(String(cell)) : cell)
