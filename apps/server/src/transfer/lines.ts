import { StringDecoder } from 'node:string_decoder'
import type { Row } from '../ports/transfer.ts'

/** More than any row can have; a longer one would not fit into memory either. */
const maxLineCharacters = 256 * 2 ** 20
const rowsAtOnce = 500
const charactersAtOnce = 2 ** 20

class BadLine extends Error {}

/** The lines of a file, in pages that fit into memory. */
export async function* pagesOfLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string[]> {
  const decoder = new StringDecoder('utf8')
  let page: string[] = []
  let characters = 0
  /** The line that has not ended yet. In pieces, because a long line comes in thousands of chunks. */
  let pieces: string[] = []
  let lineCharacters = 0
  for await (const chunk of chunks) {
    const [first = '', ...lines] = decoder.write(Buffer.from(chunk)).split('\n')
    pieces.push(first)
    lineCharacters += first.length
    if (lineCharacters > maxLineCharacters) throw new BadLine('a line is too long')
    if (lines.length === 0) continue
    lines.unshift(pieces.join(''))
    pieces = [lines.pop() ?? '']
    lineCharacters = pieces[0]?.length ?? 0
    for (const line of lines) {
      page.push(line)
      characters += line.length
      if (page.length < rowsAtOnce && characters < charactersAtOnce) continue
      yield page
      page = []
      characters = 0
    }
  }
  if (pieces.join('') + decoder.end() !== '') throw new BadLine('the last line has no end')
  if (page.length > 0) yield page
}

/** A row as it is stored and hashed. */
export const lineOf = (row: Row): string => JSON.stringify(row)

/** A line of a table, with exactly the columns that the manifest names. */
export function rowOf(line: string, columns: readonly string[]): Row {
  const row = objectOf(line)
  const names = Object.keys(row)
  const fits = names.length === columns.length && names.every((name, index) => name === columns[index])
  const isRow = Object.values(row).every(
    (value) => value === null || typeof value === 'string' || typeof value === 'number',
  )
  if (!fits || !isRow) throw new BadLine('a line is not a row of its table')
  return row as Row
}

export function objectOf(line: string): object {
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {
    // The same complaint as for other values.
  }
  throw new BadLine('a line is not an object')
}
