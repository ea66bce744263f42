/** A line of a table as text, and where it begins. A quoted cell may span several lines. */
export interface CellLine {
  /** Counted from 1. */
  line: number
  cells: string[]
}

export type Delimiter = ',' | ';' | '\t'

/** Spreadsheets copy tabs, and save commas, or semicolons where the comma is a decimal sign. */
export function delimiterOf(text: string): Delimiter {
  const [header = ''] = text.split(/\r?\n/, 1)
  if (header.includes('\t')) return '\t'
  const count = (sign: string): number => header.split(sign).length
  return count(';') > count(',') ? ';' : ','
}

/** Splits CSV (RFC 4180) or what a spreadsheet copies; returns the line of a quote that is never closed. */
export function splitCells(text: string, delimiter: Delimiter): CellLine[] | { unclosedAt: number } {
  const lines: CellLine[] = []
  let at = 0
  let line = 1
  while (at < text.length) {
    const begin = line
    const cells: string[] = []
    for (;;) {
      const cell = text[at] === '"' ? quotedCell(text, at) : plainCell(text, at, delimiter)
      if (!cell) return { unclosedAt: line }
      line += newlinesIn(text, at, cell.end)
      cells.push(cell.value)
      at = cell.end
      if (text[at] !== delimiter) break
      at += 1
    }
    if (text[at] === '\r') at += 1
    if (text[at] === '\n') at += 1
    line += 1
    // An empty line says nothing, wherever it is.
    if (cells.length > 1 || cells[0] !== '') lines.push({ line: begin, cells })
  }
  return lines
}

interface FoundCell {
  value: string
  end: number
}

function plainCell(text: string, from: number, delimiter: Delimiter): FoundCell {
  let end = from
  while (end < text.length && text[end] !== delimiter && text[end] !== '\n' && text[end] !== '\r') end += 1
  return { value: text.slice(from, end), end }
}

/** With what stands behind the closing quote, as spreadsheets read it. */
function quotedCell(text: string, from: number): FoundCell | undefined {
  let value = ''
  let at = from + 1
  for (;;) {
    const close = text.indexOf('"', at)
    if (close < 0) return undefined
    value += text.slice(at, close)
    if (text[close + 1] !== '"') return { value, end: close + 1 }
    value += '"'
    at = close + 2
  }
}

function newlinesIn(text: string, from: number, end: number): number {
  let count = 0
  for (let at = text.indexOf('\n', from); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) count += 1
  return count
}
