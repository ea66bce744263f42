import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ExportTable, exportedTables } from '@atrium/contract'
import { createTemporaryFolder } from '@atrium/testkit'
import { expect } from 'vitest'
import { type Download, download, type ReadTable, readEveryFormat } from '../read-files.ts'
import type { Cells, ColumnTypes } from './cells.ts'
import type { CsvReader } from './csv-readers.ts'

export type Tables = Record<ExportTable, Cells[]>

const tables: readonly ExportTable[] = [...exportedTables, 'codebook']

/** Exports every table in every format, and expects every reader to find the same cells in all of them. */
export async function readTables(
  of: Omit<Download, 'table'>,
  readers: readonly CsvReader[],
): Promise<Tables> {
  const folder = createTemporaryFolder('round-trip')
  try {
    const read = new Map<ExportTable, ReadTable>()
    for (const table of tables) {
      const { jsonl, csv, parquet } = await readEveryFormat({ ...of, table })
      expect(csv.rows, `${table}: DuckDB on CSV`).toEqual(jsonl.rows)
      expect(parquet.rows, `${table}: DuckDB on Parquet`).toEqual(jsonl.rows)
      read.set(table, jsonl)
      await writeFile(join(folder.path, `${table}.csv`), await download({ ...of, table }, 'csv'))
    }
    const types = columnTypes(read.get('codebook')?.rows ?? [])
    for (const reader of readers) {
      const found = await reader.read(folder.path, exportedTables, types)
      for (const table of exportedTables) {
        const exact = read.get(table)?.rows ?? []
        const seen = exact.map((row) => seenBy(reader, row, (column) => types(table, column)))
        expect(found.get(table), `${table}: ${reader.name}`).toEqual(seen)
      }
    }
    return Object.fromEntries([...read].map(([table, { rows }]) => [table, rows])) as Tables
  } finally {
    folder.remove()
  }
}

function columnTypes(codebook: readonly Cells[]): ColumnTypes {
  const types = new Map(codebook.map(({ table, variable, type }) => [`${table} ${variable}`, String(type)]))
  return (table, column) => {
    const type = types.get(`${table} ${column}`)
    if (type === undefined) throw new Error(`the codebook does not know ${column} of ${table}`)
    return type
  }
}

const seenBy = (reader: CsvReader, row: Cells, typeOf: (column: string) => string): Cells =>
  Object.fromEntries(
    Object.entries(row).map(([column, cell]) => [
      column,
      typeOf(column) === 'text' && typeof cell === 'string' ? reader.sees(cell) : cell,
    ]),
  )
