export { isImplausibleTime } from './answer-time.ts'
export { collectedParadata } from './collected.ts'
export { answersConsent, keepsToConsent } from './consent.plan.ts'
export { eventIssues } from './event-batch.ts'
export { type AuditedTable, createEventExports, type EventExports } from './event-exports.ts'
export type {
  EventToStore,
  ExportFilters,
  ExportPage,
  ExportPosition,
  ExportSource,
} from './events.store.ts'
export { createEvents, type Events, groupLimits } from './events.ts'
