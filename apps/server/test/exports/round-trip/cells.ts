/** A row as read back: JSON parsed, times as epoch milliseconds. */
export type Cells = Record<string, unknown>
/** The type of a column, as the codebook says. */
export type ColumnTypes = (table: string, column: string) => string
