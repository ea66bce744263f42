export { eventIssues } from './event-batch.ts'
export { createEvents, type Events } from './events.ts'
export { createGroupCommit } from './group-commit.ts'
