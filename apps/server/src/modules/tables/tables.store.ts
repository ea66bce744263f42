import type { Sight } from '../experiments/index.ts'

/** A table that was uploaded, without its rows. It never changes. */
export interface TableRecord {
  tableId: string
  /** As in the audit log. */
  owner: string
  name: string
  columns: readonly string[]
  rowCount: number
  bytes: number
  /** Of the rows, as they are stored. */
  sha256: string
  createdAt: number
}

export interface TableStore {
  /** `content`: the rows as JSON. Refused if its owner has `max` already. */
  create(table: TableRecord & { content: string }, max: number): Promise<'created' | 'too_many'>
  /** Of one owner, newest first. */
  list(owner: string, limit: number): Promise<TableRecord[]>
  /** Those of these that somebody may use, with their rows as JSON: their own, and those that a visible experiment uses. */
  visible(tableIds: readonly string[], sight: Sight): Promise<(TableRecord & { content: string })[]>
  /** The rows of tables, as JSON, whoever asks. */
  contents(tableIds: readonly string[]): Promise<{ tableId: string; content: string }[]>
  /** Takes it out of the list; its rows stay for as long as a revision uses them. False if there is none of this owner (`null`: anybody’s). */
  remove(removal: { tableId: string; owner: string | null; actor: string; now: number }): Promise<boolean>
}
