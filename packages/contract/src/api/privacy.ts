import { Type } from 'typebox'
import { defineRoute } from './route.ts'

const erasureScopes = ['identity', 'all'] as const
export type ErasureScope = (typeof erasureScopes)[number]
export const ErasureScope = Type.Enum(erasureScopes, {
  description:
    '`identity`: forgets who the participant is and keeps what they did; `all`: deletes what they did as well',
})

const ofOnePerson = {
  tag: 'Privacy',
  envelope: 'plain',
  auth: 'researcher',
  access: 'owner',
  params: Type.Object({
    experimentId: Type.String(),
    participantId: Type.String({
      pattern: '^part_[A-Za-z0-9_-]{1,64}$',
      description: 'The participant, as in exports',
    }),
  }),
} as const

/** R48 */
export const privacyRoutes = {
  export: defineRoute({
    ...ofOnePerson,
    method: 'GET',
    path: '/api/experiments/:experimentId/participants/:participantId/export',
    summary: 'Export everything known of one participant',
    description:
      'For people who ask what is stored about them. One JSON document: `participant`, `identity`, `sessions` (with address, browser and recruiting ids), `events` (responses and messages included), `roomActions`, and `agentTurns` of the rooms they were in. Unlike other exports, it says who the participant is. Recorded in the audit log, without the participant.',
    work: 'export',
    success: { status: 200, schema: Type.Unknown(), description: 'Everything known of the participant' },
    errors: ['NOT_FOUND'],
  }),
  erase: defineRoute({
    ...ofOnePerson,
    method: 'DELETE',
    path: '/api/experiments/:experimentId/participants/:participantId',
    summary: 'Delete one participant, or who they are',
    description:
      'Ends the participation first if it is still under way. `identity` deletes account, external and recruiting ids, address and browser; what the participant did stays, and belongs to nobody. `all` deletes everything; in rooms with others, what those did stays. Repeating the call returns the same response. Recorded in the audit log, without the participant.',
    query: Type.Object({ scope: ErasureScope }),
    success: {
      status: 200,
      schema: Type.Object({ participantId: Type.String(), scope: ErasureScope }),
      description: 'Deleted',
    },
    errors: ['NOT_FOUND'],
  }),
} as const
