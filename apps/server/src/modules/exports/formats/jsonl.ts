import type { ExportColumn } from '@atrium/contract'
import type { Cell, Row } from '../tables/row.ts'
import type { Encoder } from './encoder.ts'

/** One object per line, its members in the order of the columns. */
export function createJsonlEncoder(columns: readonly ExportColumn[]): Encoder {
  const keys = columns.map(({ name }) => `${JSON.stringify(name)}:`)

  function lineOf(row: Row): string {
    const members = columns.flatMap((column, index) => {
      const cell = row[column.name] ?? null
      return cell === null && column.isOptional ? [] : [`${keys[index]}${jsonCell(column, cell)}`]
    })
    return `{${members.join(',')}}\n`
  }

  return { encode: (rows) => rows.map(lineOf).join('') }
}

function jsonCell({ type }: ExportColumn, cell: Exclude<Cell, undefined>): string {
  if (cell === null) return 'null'
  if (type === 'json') return String(cell)
  return JSON.stringify(type === 'time' && typeof cell === 'number' ? new Date(cell).toISOString() : cell)
}
