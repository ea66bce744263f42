export type { AuditEntry } from './operations.store.ts'
export { createOperations } from './operations.ts'
