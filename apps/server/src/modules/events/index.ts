export { eventIssues } from './event-batch.ts'
export type { EventToStore } from './events.store.ts'
export { createEvents, type Events, groupLimits } from './events.ts'
export { createGroupCommit } from './group-commit.ts'
