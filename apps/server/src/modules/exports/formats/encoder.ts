import type { Row } from '../tables/row.ts'

/** Writes a file page by page. */
export interface Encoder {
  /** What comes next in the file; may hold rows back. */
  encode(rows: readonly Row[], at: { isFirst: boolean; isLast: boolean }): string | Uint8Array
}
