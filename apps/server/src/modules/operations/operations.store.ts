import type { AuditRecord, Researcher } from '@atrium/contract'

export interface AuditEntry {
  at: number
  actor: string
  action: string
  subject: string
  details: Record<string, unknown>
}

export type SeenResearcher = Pick<Researcher, 'person' | 'email' | 'role' | 'roleFrom'> & { at: number }

export interface OperationsStore {
  ping(): Promise<void>
  /** Writes durably, and so finds out whether there is space for more. */
  checkWritable(now: number): Promise<void>
  /** The store's time in epoch milliseconds. */
  time(): Promise<number>
  noteResearcher(seen: SeenResearcher): Promise<void>
  /** Those seen most recently first. */
  researchers(): Promise<Researcher[]>
  audit(entry: AuditEntry): Promise<void>
  /** Newest first; `before` is the number of an entry. */
  auditPage(page: { limit: number; before: number | null }): Promise<AuditRecord[]>
}
