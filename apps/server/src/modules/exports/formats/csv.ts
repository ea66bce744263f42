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
  const cells = columns.map(cellWriter)
  const lineOf = (row: Row): string => {
    let line = ''
    for (const write of cells) line += write(row)
    return line.slice(1) + lineEnd
  }
  return {
    encode(rows, { isFirst }) {
      let text = isFirst ? header : ''
      for (const row of rows) text += lineOf(row)
      return text
    },
  }
}

/** A cell of a column, after its comma. Cells repeat themselves from row to row, such as the participant's. */
function cellWriter({ name, type }: ExportColumn): (row: Row) => string {
  let last: Cell = null
  let written = ','
  return (row) => {
    const cell = row[name] ?? null
    if (cell === last) return written
    last = cell
    written = `,${csvCell(type, cell)}`
    return written
  }
}

function csvCell(type: ExportColumn['type'], cell: Exclude<Cell, undefined>): string {
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

/** Quotes, what UTF-8 cannot write, and what readers take for the end of the text. Most texts have none of them. */
const special = /["\0\ud800-\udfff]/

const quoted = (text: string): string =>
  special.test(text)
    ? `"${text.toWellFormed().replaceAll('\0', '\ufffd').replaceAll('"', '""')}"`
    : `"${text}"`

/**
 * Spreadsheets execute cells that begin with one of these (OWASP, “CSV injection”). An apostrophe before them makes them
 * text. It is added before an apostrophe as well, so that readers can undo it: drop the first character if it is one.
 */
const dangerous = /^['=+\-@\t\r\n＝＋－＠]/

const defused = (text: string): string => (dangerous.test(text) ? `'${text}` : text)
