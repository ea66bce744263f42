export interface AuditEntry {
  at: number
  actor: string
  action: string
  subject: string
  details: Record<string, unknown>
}

export interface OperationsStore {
  ping(): Promise<void>
  /** Writes durably, and finds out whether there is space for more. */
  checkWritable(now: number): Promise<void>
  /** What time it is in the store, in epoch milliseconds. */
  time(): Promise<number>
  audit(entry: AuditEntry): Promise<void>
}
