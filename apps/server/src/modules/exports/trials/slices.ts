import { validationFailed } from '../../../kernel/app-error.ts'
import type { Row } from '../tables/row.ts'

/**
 * Of one row of a table, which may have half a million characters, a page of events makes thousands of rows that all say it. In
 * memory they share it; in a file they do not.
 */
const charactersPerSlice = 4_000_000
/** Of an answer that is sent at once. */
const charactersPerPage = 64_000_000

const sizeOf = (row: Row): number =>
  Object.values(row).reduce<number>((sum, cell) => sum + (typeof cell === 'string' ? cell.length : 8), 0)

type ReadRows = () => Promise<{ rows: Row[]; isLast: boolean }>

/** The same rows in parts that are encoded one after the other. */
export function inSlices(read: ReadRows): ReadRows {
  let rows: Row[] = []
  let from = 0
  let isLastPage = false
  return async () => {
    if (from >= rows.length) {
      ;({ rows, isLast: isLastPage } = await read())
      from = 0
    }
    let to = from
    for (let size = 0; to < rows.length && size < charactersPerSlice; to++) size += sizeOf(rows[to] ?? {})
    const slice = rows.slice(from, to)
    from = to
    return { rows: slice, isLast: isLastPage && to >= rows.length }
  }
}

export function assertFitsPage(rows: readonly Row[]): void {
  const size = rows.reduce((sum, row) => sum + sizeOf(row), 0)
  if (size <= charactersPerPage) return
  const message = 'this page would be larger than 64 MB; ask for the whole file instead, without ‘cursor’'
  throw validationFailed([{ path: '/cursor', message }])
}
