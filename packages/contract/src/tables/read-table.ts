import { columnPattern, type TrialCell, type TrialRow, trialIndex } from '../definition/trials.ts'
import { limits } from '../limits.ts'
import { delimiterOf, splitCells } from './split-cells.ts'

/** A table as text, read; or a sentence that says what is wrong, and in which line. */
export type ReadTable =
  | { ok: true; columns: string[]; rows: TrialRow[] }
  | { ok: false; line: number; message: string }

const bounds = limits.tables
const isColumn = new RegExp(columnPattern)
/** Longer ones are ids, which would lose digits. */
const isNumber = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?(?:[eE][+-]?\d{1,2})?$/
/** What cannot be stored everywhere: NUL, and halves of characters. */
const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

/** CSV, or what is copied from a spreadsheet: the first line names the columns, and each further line is a row. */
export function readTable(text: string): ReadTable {
  const plain = text.replace(/^\uFEFF/, '')
  if (plain.length > bounds.textCharacters)
    return refused(1, `the table is longer than ${inWords(bounds.textCharacters)} characters`)
  const lines = splitCells(plain, delimiterOf(plain))
  if ('unclosedAt' in lines) return refused(lines.unclosedAt, 'a quotation mark is opened and never closed')
  const [header, ...body] = lines
  if (!header) return refused(1, 'the table is empty; its first line names the columns')
  const columns = header.cells.map((cell) => cell.trim())
  const problem = headerProblem(columns)
  if (problem) return refused(header.line, problem)
  if (body.length === 0) return refused(header.line, 'the table has columns, but no rows')
  if (body.length > bounds.rows)
    return refused(body[bounds.rows]?.line ?? 1, `a table can have at most ${inWords(bounds.rows)} rows`)
  const rows: TrialRow[] = []
  for (const { line, cells } of body) {
    const wrong = rowProblem(cells, columns)
    if (wrong) return refused(line, wrong)
    rows.push(Object.fromEntries(columns.map((name, at) => [name, cellFrom(cells[at] ?? '')])))
  }
  return { ok: true, columns, rows }
}

function headerProblem(columns: readonly string[]): string | undefined {
  if (columns.length > bounds.columns)
    return `there are ${columns.length} columns; the limit is ${bounds.columns}`
  for (const [at, name] of columns.entries()) {
    if (name === '') return `column ${at + 1} has no name`
    if (name === trialIndex)
      return `a column cannot be called ‘${trialIndex}’, which is the position of a trial; rename it`
    if (!isColumn.test(name))
      return `‘${shortened(name)}’ cannot name a column, because expressions could not refer to it${suggestionFor(name)}`
    if (columns.indexOf(name) < at) return `there are two columns called ‘${name}’`
  }
  return undefined
}

function suggestionFor(name: string): string {
  const plain = name
    .replaceAll(/\W+/g, '_')
    .replace(/^(?=\d)/, '_')
    .slice(0, 64)
  return isColumn.test(plain) && /[A-Za-z]/.test(plain) ? `; write ‘${plain}’` : '; use letters, digits and _'
}

function rowProblem(cells: readonly string[], columns: readonly string[]): string | undefined {
  if (cells.length !== columns.length)
    return `the row has ${cells.length} ${cells.length === 1 ? 'cell' : 'cells'}, but there are ${columns.length} columns`
  for (const [at, cell] of cells.entries()) {
    if (cell.length > bounds.cellCharacters)
      return `the cell in column ‘${columns[at]}’ is longer than ${inWords(bounds.cellCharacters)} characters`
    if (!isStorable(cell)) return `the cell in column ‘${columns[at]}’ has characters that are no text`
  }
  return undefined
}

function cellFrom(written: string): TrialCell {
  const text = written.trim()
  if (text === '') return null
  if (isNumber.test(text)) return Number(text)
  if (/^true$/i.test(text)) return true
  return /^false$/i.test(text) ? false : written
}

const refused = (line: number, message: string): ReadTable => ({ ok: false, line, message })
const inWords = (count: number): string => count.toLocaleString('en')
const shortened = (name: string): string => (name.length > 60 ? `${name.slice(0, 60)}…` : name)
