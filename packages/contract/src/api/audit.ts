import { Type } from 'typebox'
import { EpochMs, FreeObject } from '../text.ts'
import { WholeNumber } from './query.ts'
import { defineRoute } from './route.ts'

export const auditPerPage = { min: 1, max: 500, usual: 100 } as const

/** What somebody did. Entries are only ever added. */
export const AuditRecord = Type.Object({
  entry: Type.Integer({ minimum: 1, description: 'Rises with each entry' }),
  at: EpochMs('When it happened'),
  actor: Type.String({ description: 'Who did it: issuer and subject of their account, or `participant`' }),
  action: Type.String({ examples: ['events_exported'] }),
  subject: Type.String({ description: 'What it was done to: an experiment, a room, a session, a key, …' }),
  details: FreeObject('More about it; `keyId` if a script did it'),
})
export type AuditRecord = Type.Static<typeof AuditRecord>

const AuditPage = Type.Object({
  entries: Type.Array(AuditRecord),
  next: Type.Union([Type.String(), Type.Null()], {
    description: 'Value of `before` for the next page; null on the last page',
  }),
})
export type AuditPage = Type.Static<typeof AuditPage>

export const auditRoutes = {
  list: defineRoute({
    tag: 'Privacy',
    envelope: 'plain',
    auth: 'admin',
    method: 'GET',
    path: '/api/audit',
    summary: 'Read the audit log',
    description:
      'Exports, deletions, revocations, changes of status and access, and what researchers did in rooms. No route changes or deletes an entry.',
    query: Type.Object({
      limit: Type.Optional(WholeNumber(auditPerPage, 'Maximum number of results')),
      before: Type.Optional(
        Type.String({ pattern: '^[0-9]{1,15}$', description: 'The `next` value of the previous page' }),
      ),
    }),
    success: { status: 200, schema: AuditPage, description: 'Newest first' },
  }),
} as const
