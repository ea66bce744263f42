import type { DataTarget, Row } from '../ports/transfer.ts'
import { lineOf } from './lines.ts'
import { createRowDigest, type TableDigest } from './row-digest.ts'

/** One table as it comes: from a backup or from another installation. */
export interface IncomingTable {
  name: string
  columns: readonly string[]
  pages: AsyncIterable<Row[]>
}

export type Report = (text: string) => void

/** Inserts all rows, then reads them back: what arrived must be what was sent, row by row. */
export async function fillTable(
  target: DataTarget,
  { name, columns, pages }: IncomingTable,
  report: Report,
): Promise<TableDigest> {
  const sent = createRowDigest()
  for await (const page of pages) {
    for (const row of page) sent.add(lineOf(row))
    await target.insert(name, columns, page)
    report(`${name}: ${sent.result().rows} rows`)
  }
  const stored = await digestOf(target.rows(name, columns))
  if (!isSame(stored, sent.result()))
    throw new Error(
      `the table ${name} was not stored as it was sent: ${sent.result().rows} rows were sent, ${stored.rows} are there`,
    )
  return stored
}

export async function digestOf(pages: AsyncIterable<Row[]>): Promise<TableDigest> {
  const found = createRowDigest()
  for await (const page of pages) for (const row of page) found.add(lineOf(row))
  return found.result()
}

export const isSame = (one: TableDigest, other: TableDigest): boolean =>
  one.rows === other.rows && one.digest === other.digest
