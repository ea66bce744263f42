export { assignedRoleOf, hasConsent, roomIdOf, statusAt } from './session.ts'
export { createSessionTokens } from './session-token.ts'
export type { SessionRecord } from './sessions.store.ts'
export { createSessions, type Sessions } from './sessions.ts'
