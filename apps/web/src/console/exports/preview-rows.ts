/** A row as the export writes it. */
export type PreviewRow = Readonly<Record<string, unknown>>

export interface SortOrder {
  column: string
  isDescending: boolean
}

const maxRows = 20

/** The first rows of a file with one JSON object per line. */
export const rowsIn = (text: string): PreviewRow[] =>
  text
    .split('\n', maxRows + 1)
    .slice(0, maxRows)
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

/** In order of appearance. Columns of a study's own may be missing in the rows of others. */
export const columnsIn = (rows: readonly PreviewRow[]): string[] => [...new Set(rows.flatMap(Object.keys))]

export function cellText(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Numbers by size, everything else as text; what is missing comes last either way. */
export function sorted(rows: readonly PreviewRow[], order: SortOrder | undefined): readonly PreviewRow[] {
  if (!order) return rows
  const { column, isDescending } = order
  return rows.toSorted((one, other) => {
    const [a, b] = [one[column] ?? null, other[column] ?? null]
    if (a === null || b === null) return Number(a === null) - Number(b === null)
    const difference =
      typeof a === 'number' && typeof b === 'number' ? a - b : cellText(a).localeCompare(cellText(b))
    return isDescending ? -difference : difference
  })
}

/** The first click on a column sorts by it, the second the other way round, the third as exported. */
export function nextOrder(order: SortOrder | undefined, column: string): SortOrder | undefined {
  if (order?.column !== column) return { column, isDescending: false }
  return order.isDescending ? undefined : { column, isDescending: true }
}
