import { type ExportColumn, snakeName } from '@atrium/contract'
import { createIsoTime } from '../../../kernel/iso-time.ts'
import type { Cell, Row } from '../tables/row.ts'
import type { Encoder } from './encoder.ts'

export interface CsvForm {
  /** Spreadsheets take UTF-8 for another encoding unless the file begins with this mark. */
  bom: boolean
}

const plainCsv: CsvForm = { bom: false }

export const lineEnd = '\r\n'

/**
 * RFC 4180: UTF-8, without a byte order mark unless it is asked for, a header, lines that end in CRLF. By hand, because the libraries quote by
 * content, so that a lone CR or LF gets through and null looks like an empty text, and defuse negative numbers as formulas.
 *
 * Text and JSON are always in quotes; numbers, times and `true` never are. A cell with nothing in it, not even quotes, is
 * null; `""` is an empty text.
 */
export function createCsvEncoder(columns: readonly ExportColumn[], form: CsvForm = plainCsv): Encoder {
  const header = csvHeader(columns, form)
  const cells = columns.map(cellWriter)
  return {
    encode(rows, { isFirst }) {
      let text = isFirst ? header : ''
      for (const row of rows) {
        for (const write of cells) text += write(row)
        text += lineEnd
      }
      return text
    },
  }
}

export const csvHeader = (columns: readonly ExportColumn[], { bom }: CsvForm = plainCsv): string =>
  (bom ? '\ufeff' : '') + columns.map(({ name }) => quoted(snakeName(name))).join(',') + lineEnd

/** A cell of a text column. */
export const csvText = (text: string | null): string => (text === null ? '' : quoted(defused(text)))

/** A cell of a JSON column: begins with a bracket, a quote, a letter or a number, none of which a spreadsheet executes. */
export const csvJson = (json: string | null): string => (json === null ? '' : quoted(json))

/** A cell of a column, after its comma. Cells repeat themselves from row to row, such as the participant's. */
function cellWriter({ name, type }: ExportColumn, index: number): (row: Row) => string {
  const comma = index === 0 ? '' : ','
  const write = writerOf(type)
  let last: Cell = null
  let written = comma
  return (row) => {
    const cell = row[name] ?? null
    if (cell === last) return written
    last = cell
    written = cell === null ? comma : comma + write(cell)
    return written
  }
}

function writerOf(type: ExportColumn['type']): (cell: Exclude<Cell, null | undefined>) => string {
  switch (type) {
    case 'text':
      return (cell) => csvText(String(cell))
    case 'json':
      return (cell) => csvJson(String(cell))
    case 'time': {
      const isoOf = createIsoTime()
      return (cell) => isoOf(Number(cell))
    }
    default:
      return String
  }
}

/** Half of a surrogate pair, which UTF-8 cannot write, and what readers take for the end of the text. */
const isWritable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

function quoted(text: string): string {
  const writable = isWritable(text) ? text : text.toWellFormed().replaceAll('\0', '\ufffd')
  return `"${withDoubleQuotes(writable)}"`
}

/** By hand: an expression takes a third longer, `replaceAll` twice as long, and this is where an export spends its time. */
function withDoubleQuotes(text: string): string {
  let [written, from] = ['', 0]
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', from)) {
    written += `${text.slice(from, at + 1)}"`
    from = at + 1
  }
  return from === 0 ? text : written + text.slice(from)
}

/**
 * Spreadsheets execute cells that begin with one of these (OWASP, “CSV injection”). An apostrophe before them makes them
 * text. It is added before an apostrophe as well, so that readers can undo it: drop the first character if it is one.
 */
const dangerous = /^['=+\-@\t\r\n＝＋－＠]/

const defused = (text: string): string => (dangerous.test(text) ? `'${text}` : text)
