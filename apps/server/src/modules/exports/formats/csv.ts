import { type ExportColumn, snakeName } from '@atrium/contract'
import type { Cell, Row } from '../tables/row.ts'
import type { Encoder } from './encoder.ts'

const lineEnd = '\r\n'

/**
 * RFC 4180: UTF-8 without a byte order mark, a header, lines that end in CRLF. By hand, because the libraries quote by
 * content, so that a lone CR or LF gets through and null looks like an empty text, and defuse negative numbers as formulas.
 *
 * Text and JSON are always in quotes; numbers, times and `true` never are. A cell with nothing in it, not even quotes, is
 * null; `""` is an empty text.
 */
export function createCsvEncoder(columns: readonly ExportColumn[]): Encoder {
  const header = columns.map(({ name }) => quoted(snakeName(name))).join(',') + lineEnd
  const lineOf = (row: Row): string =>
    columns.map((column) => csvCell(column, row[column.name] ?? null)).join(',') + lineEnd
  return { encode: (rows, { isFirst }) => (isFirst ? header : '') + rows.map(lineOf).join('') }
}

function csvCell({ type }: ExportColumn, cell: Exclude<Cell, undefined>): string {
  if (cell === null) return ''
  switch (type) {
    case 'text':
      return quoted(defused(String(cell)))
    // Begins with a bracket, a quote, a letter or a number, none of which a spreadsheet executes.
    case 'json':
      return quoted(String(cell))
    case 'time':
      return new Date(Number(cell)).toISOString()
    default:
      return String(cell)
  }
}

/** What UTF-8 cannot write and what readers take for the end of the text. */
const quoted = (text: string): string =>
  `"${text.toWellFormed().replaceAll('\0', '\ufffd').replaceAll('"', '""')}"`

/**
 * Spreadsheets execute cells that begin with one of these (OWASP, “CSV injection”). An apostrophe before them makes them
 * text. It is added before an apostrophe as well, so that readers can undo it: drop the first character if it is one.
 */
const dangerous = /^['=+\-@\t\r\n＝＋－＠]/

const defused = (text: string): string => (dangerous.test(text) ? `'${text}` : text)
