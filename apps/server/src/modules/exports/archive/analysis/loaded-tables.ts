import type { ColumnType, ExportTable } from '@atrium/contract'
import type { Row } from '../../tables/row.ts'

/** A table of the archive as a script reads it. */
export interface LoadedTable {
  name: string
  path: string
  columns: { name: string; type: ColumnType; categories: string[] }[]
}

/** From the codebook, so that a new column or table is loaded without being named here. */
export function loadedTables(
  codebook: readonly Row[],
  tables: readonly ExportTable[],
  pathOf: (table: ExportTable) => string,
): LoadedTable[] {
  return tables.map((table) => {
    const rows = codebook.filter((row) => row.table === table)
    const columns = [...Map.groupBy(rows, ({ variable }) => String(variable))].map(([name, meanings]) => {
      const cells = String(meanings[0]?.type) as ColumnType
      return { name, type: cells, categories: cells === 'text' ? categoriesIn(meanings) : [] }
    })
    return { name: table, path: pathOf(table), columns }
  })
}

function categoriesIn(meanings: readonly Row[]): string[] {
  const listed = meanings.flatMap(({ values }): { value: unknown }[] =>
    typeof values === 'string' ? JSON.parse(values) : [],
  )
  return [...new Set(listed.map(({ value }) => value).filter((value) => typeof value === 'string'))]
}

/** A text in quotes that both Python and R read the same, whatever encoding they take the script for. */
export const quoted = (text: string): string =>
  `"${[...text.toWellFormed()].map((character) => escapes[character] ?? asciiOf(character)).join('')}"`

const escapes: Readonly<Record<string, string>> = { '"': '\\"', '\\': '\\\\' }

function asciiOf(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code >= 0x20 && code < 0x7f) return character
  // R has no character 0.
  if (code === 0) return ''
  return code > 0xffff ? `\\U${hexadecimal(code, 8)}` : `\\u${hexadecimal(code, 4)}`
}

const hexadecimal = (code: number, digits: number): string => code.toString(16).padStart(digits, '0')
