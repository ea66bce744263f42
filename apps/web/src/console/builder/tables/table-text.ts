import { columnsOfRows, type TrialCell, type TrialRow } from '@atrium/contract'

/** Rows as a spreadsheet would copy them, for `readTable` to read again. */
export function textOfRows(rows: readonly TrialRow[]): string {
  const columns = columnsOfRows(rows)
  const lines = rows.map((row) => columns.map((name) => cellText(row[name])))
  return [columns, ...lines].map((cells) => `${cells.join('\t')}\n`).join('')
}

/** With one column there is no tab, so that a comma would begin a second. */
const needsQuotes = /["\t\r\n,;]/

function cellText(cell: TrialCell | undefined): string {
  const text = cell === null || cell === undefined ? '' : String(cell)
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
