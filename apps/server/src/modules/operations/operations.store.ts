import type { AuditRecord } from '@atrium/contract'

export interface AuditEntry {
  at: number
  actor: string
  action: string
  subject: string
  details: Record<string, unknown>
}

export interface OperationsStore {
  ping(): Promise<void>
  /** Writes durably, and so finds out whether there is space for more. */
  checkWritable(now: number): Promise<void>
  /** The store's time in epoch milliseconds. */
  time(): Promise<number>
  audit(entry: AuditEntry): Promise<void>
  /** Newest first; `before` is the number of an entry. */
  auditPage(page: { limit: number; before: number | null }): Promise<AuditRecord[]>
}
