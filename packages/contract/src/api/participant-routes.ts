import { Type } from 'typebox'
import {
  CompleteAnswer,
  CompleteBody,
  DiscoverAnswer,
  DiscoverAnswerV3,
  EventsAnswer,
  EventsBody,
  EventsBodyV3,
  HistoryAnswer,
  HistoryAnswerV3,
  JoinAnswer,
  JoinAnswerV3,
  JoinBody,
  SessionClaims,
} from './participant.ts'
import { defineRoute } from './route.ts'

const v4 = { tag: 'Participant API v4', envelope: 'participant' } as const
const v3 = { tag: 'Participant API v3', envelope: 'participant', auth: 'id_token' } as const

const SessionTokenHeader = Type.Object({
  'X-Session-Token': Type.Optional(
    Type.String({ description: 'The signed token from join; optional, but when sent it must be right' }),
  ),
})
const IdempotencyKey = Type.Optional(
  Type.String({
    description:
      'Makes a retry safe: the same key and body get the original answer, also after joining again',
  }),
)
const EventHeaders = Type.Object({ ...SessionTokenHeader.properties, 'Idempotency-Key': IdempotencyKey })

export const participantRoutes = {
  discoverV4: defineRoute({
    ...v4,
    method: 'GET',
    path: '/api/v4/participant/discover',
    summary: 'List the experiments that are recruiting',
    auth: 'session',
    rateLimit: 'discover',
    headers: SessionTokenHeader,
    query: SessionClaims,
    success: { status: 200, schema: DiscoverAnswer, description: 'Experiments and the state of the session' },
    errors: ['SESSION_COMPLETED'],
  }),
  joinV4: defineRoute({
    ...v4,
    method: 'POST',
    path: '/api/v4/participant/join',
    summary: 'Join an experiment, or resume it, and receive a session',
    description:
      'Joining again with the same identity resumes: the same participant and room, a new session; the former session is revoked.',
    auth: 'id_token',
    guests: true,
    rateLimit: 'join',
    body: JoinBody,
    success: { status: 200, schema: JoinAnswer, description: 'The session and the experiment' },
    errors: ['EXPERIMENT_NOT_FOUND', 'EXPERIMENT_CLOSED', 'FORBIDDEN'],
  }),
  eventsV4: defineRoute({
    ...v4,
    method: 'POST',
    path: '/api/v4/participant/events',
    summary: 'Record a batch of events',
    description:
      'A batch is stored whole or not at all, and acknowledged only when it is durable. Fields beyond the documented ones are kept with the event. Where the experiment asks for consent, nothing else is accepted before `consent_given`; a batch may begin with it. `consent_declined` gives the place in the experiment back: `consent_given` after it takes another, or is refused (`EXPERIMENT_CLOSED`, `full`).',
    auth: 'session',
    rateLimit: 'events',
    headers: EventHeaders,
    query: SessionClaims,
    body: EventsBody,
    success: { status: 200, schema: EventsAnswer, description: 'The batch is stored' },
    errors: ['CONSENT_REQUIRED', 'EXPERIMENT_CLOSED', 'SESSION_COMPLETED', 'IDEMPOTENCY_CONFLICT'],
  }),
  completeV4: defineRoute({
    ...v4,
    method: 'POST',
    path: '/api/v4/participant/complete',
    summary: 'Complete the experiment and receive the completion code',
    description:
      'Repeating the call gives the same answer. Where the room decides (`completion.verify`), its decision is what is given, whatever the body names. Where the experiment asks for consent, only `NO_CONSENT` is accepted without it.',
    auth: 'session',
    rateLimit: 'complete',
    headers: SessionTokenHeader,
    query: SessionClaims,
    body: CompleteBody,
    success: { status: 200, schema: CompleteAnswer, description: 'The session has ended' },
    errors: ['CONSENT_REQUIRED', 'EVENTS_MISSING', 'NOT_FINISHED'],
  }),
  historyV4: defineRoute({
    ...v4,
    method: 'GET',
    path: '/api/v4/participant/history',
    summary: 'List one’s own sessions, newest first',
    auth: 'id_token',
    guests: true,
    rateLimit: 'history',
    success: { status: 200, schema: HistoryAnswer, description: 'The sessions of this person' },
  }),
  discoverV3: defineRoute({
    ...v3,
    method: 'GET',
    path: '/api/v3/participant/discover',
    summary: 'List the experiments that are recruiting',
    rateLimit: 'discover',
    success: { status: 200, schema: DiscoverAnswerV3, description: 'Experiments' },
  }),
  joinV3: defineRoute({
    ...v3,
    method: 'POST',
    path: '/api/v3/participant/join',
    summary: 'Join an experiment, or resume it',
    guests: true,
    rateLimit: 'join',
    body: JoinBody,
    success: { status: 200, schema: JoinAnswerV3, description: 'The participant and the experiment' },
    errors: ['EXPERIMENT_NOT_FOUND', 'EXPERIMENT_CLOSED', 'FORBIDDEN'],
  }),
  eventsV3: defineRoute({
    ...v3,
    method: 'POST',
    path: '/api/v3/participant/events',
    summary: 'Record a batch of events in an experiment that was joined',
    guests: true,
    rateLimit: 'events',
    headers: Type.Object({ 'Idempotency-Key': IdempotencyKey }),
    body: EventsBodyV3,
    success: { status: 200, schema: EventsAnswer, description: 'The batch is stored' },
    errors: [
      'EXPERIMENT_NOT_FOUND',
      'FORBIDDEN',
      'SESSION_INVALID',
      'SESSION_MISMATCH',
      'CONSENT_REQUIRED',
      'EXPERIMENT_CLOSED',
      'SESSION_COMPLETED',
      'IDEMPOTENCY_CONFLICT',
    ],
  }),
  historyV3: defineRoute({
    ...v3,
    method: 'GET',
    path: '/api/v3/participant/history',
    summary: 'List one’s own participations, newest first',
    guests: true,
    rateLimit: 'history',
    success: { status: 200, schema: HistoryAnswerV3, description: 'The participations of this person' },
  }),
} as const
