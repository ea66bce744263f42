export type Engine = 'sqlite' | 'postgres'

/** Both engines return the same: text, numbers and nulls. */
export type Row = Record<string, string | number | null>

/** The tables of an installation as they were at one moment, whatever is written meanwhile. */
export interface DataSource {
  readonly engine: Engine
  /** Names of the migrations that its tables have been through, in order. */
  readonly migrations: readonly string[]
  /** In alphabetical order, so that a row reads the same on both engines; empty if there is no such table yet. */
  columnsOf(table: string): Promise<readonly string[]>
  /** All rows in pages that fit into memory; the fields of each are in the order of `columns`. */
  rows(table: string, columns: readonly string[]): AsyncIterable<Row[]>
  close(): Promise<void>
}

/** An empty installation that is being filled. No server starts on it before `finish`. */
export interface DataTarget {
  /** Creates the tables as they were after this migration. Removes what an interrupted transfer left behind. */
  begin(lastMigration: string): Promise<void>
  insert(table: string, columns: readonly string[], rows: readonly Row[]): Promise<void>
  /** As inserted, for comparison. */
  rows(table: string, columns: readonly string[]): AsyncIterable<Row[]>
  /** Brings the tables to the newest schema. From now on servers can start. */
  finish(): Promise<void>
  /** Without `finish`, the transfer counts as interrupted. */
  close(): Promise<void>
}

export interface StoredObject {
  size: number
  contentType: string
  /** The bytes from `first` to `last`, both included; all of them if absent. */
  read(range?: { first: number; last: number }): AsyncIterable<Uint8Array>
}

export interface ObjectSource {
  keys(): AsyncIterable<string>
  /** Undefined if there is no such object any more. */
  open(key: string): Promise<StoredObject | undefined>
  close(): Promise<void>
}

export interface ObjectTarget extends ObjectSource {
  put(key: string, object: StoredObject): Promise<void>
}
