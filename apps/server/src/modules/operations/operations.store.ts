export interface AuditEntry {
  at: number
  actor: string
  action: string
  subject: string
  details: Record<string, unknown>
}

export interface OperationsStore {
  ping(): Promise<void>
  audit(entry: AuditEntry): Promise<void>
}
