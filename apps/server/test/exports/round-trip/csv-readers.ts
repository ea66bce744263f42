import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { findProgram, findPython } from '@atrium/testkit'
import { parse } from 'csv-parse/sync'
import type { Cells, ColumnTypes } from './cells.ts'

const run = promisify(execFile)
const scriptOf = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const longest = { maxBuffer: 1_000_000_000 }

/** Reads CSV files of tables in a folder, beside their codebook; the rows by table. */
export interface CsvReader {
  name: string
  /** What the reader makes of an exact text; null if it takes it for no value. */
  sees(text: string): string | null
  read(folder: string, tables: readonly string[], types: ColumnTypes): Promise<Map<string, Cells[]>>
}

/** The only reader here that tells an empty text from no value: it says whether a cell was in quotes. */
export const csvParse: CsvReader = {
  name: 'csv-parse',
  sees: (text) => text,
  async read(folder, tables, types) {
    return new Map(
      tables.map((table) => {
        const rows: Cells[] = parse(readFileSync(join(folder, `${table}.csv`)), {
          columns: true,
          cast: (text, { header, quoting, column }) =>
            header ? text : text === '' && !quoting ? null : typed(text, types(table, String(column))),
        })
        return [table, rows]
      }),
    )
  },
}

export const pandas: CsvReader = {
  name: 'pandas',
  sees: (text) => (text === '' ? null : text),
  async read(folder, tables) {
    const script = scriptOf('./read-tables.py')
    const { stdout } = await run(findPython('pandas'), [script, folder, ...tables], longest)
    const rows = new Map(tables.map((table): [string, Cells[]] => [table, []]))
    for (const line of stdout.split('\n').filter(Boolean)) {
      const { table, cells } = JSON.parse(line)
      rows.get(table)?.push(cells)
    }
    return rows
  },
}

export const baseR: CsvReader = {
  name: 'R',
  sees: (text) => (text === '' ? null : text.replaceAll(/\r\n?/g, '\n')),
  async read(folder, tables, types) {
    const script = scriptOf('./read-tables.R')
    const env = { ...process.env, LC_ALL: 'C.UTF-8' }
    const args = ['--vanilla', script, folder, ...tables]
    const { stdout } = await run(findProgram('Rscript'), args, { ...longest, env })
    const rows = new Map(tables.map((table): [string, Cells[]] => [table, []]))
    const columns = new Map<string, string[]>()
    for (const line of stdout.split('\n').filter(Boolean)) {
      const [table = '', ...cells] = line.trim().split(' ')
      if (cells[0] === 'columns') columns.set(table, cells.slice(1).map(fromHexadecimal))
      else rows.get(table)?.push(rowOf(cells, columns.get(table) ?? [], (name) => types(table, name)))
    }
    return rows
  },
}

const rowOf = (cells: string[], columns: string[], typeOf: (column: string) => string): Cells => {
  if (cells.length !== columns.length) throw new Error(`${cells.length} cells in ${columns.length} columns`)
  return Object.fromEntries(
    columns.map((column, index) => {
      const cell = cells[index] ?? 'NA'
      return [column, cell === 'NA' ? null : typedByR(fromHexadecimal(cell), typeOf(column))]
    }),
  )
}

const fromHexadecimal = (text: string): string => Buffer.from(text.slice(1), 'hex').toString()

/** As the documentation tells readers to. */
function typed(text: string, type: string): unknown {
  if (type === 'json') return JSON.parse(text)
  if (type === 'time') return Date.parse(text)
  if (type === 'whole' || type === 'number') return Number(text)
  return type === 'flag' ? text === 'true' : text.replace(/^'/, '')
}

/** R has undone the apostrophe and made numbers of times. */
const typedByR = (text: string, type: string): unknown =>
  type === 'text' ? text : type === 'time' ? Number(text) : typed(text, type)
