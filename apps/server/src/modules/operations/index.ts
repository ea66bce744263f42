export type { AuditEntry } from './operations.store.ts'
export { createOperations, type Operations } from './operations.ts'
export { createResearcherNotes } from './researchers.ts'
