import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { Name } from '../text.ts'
import { participantAddresses as at } from './addresses.ts'
import {
  CompleteAnswer,
  CompleteBody,
  DiscoverAnswer,
  DiscoverAnswerV3,
  EventsAnswer,
  EventsBody,
  EventsBodyV3,
  FileAnswer,
  HistoryAnswer,
  HistoryAnswerV3,
  JoinAnswer,
  JoinAnswerV3,
  JoinBody,
  MediaAnswer,
  SessionClaims,
  WithdrawAnswer,
} from './participant.ts'
import { defineRoute } from './route.ts'

const v4 = { tag: 'Participant API v4' } as const
const v3 = { tag: 'Participant API v3', auth: 'id_token' } as const

const SessionTokenHeader = Type.Object({
  'X-Session-Token': Type.Optional(
    Type.String({ description: 'The signed token from join; optional, but must be valid if sent' }),
  ),
})
const IdempotencyKey = Type.Optional(
  Type.String({
    description:
      'Makes retries safe: the same key and body get the original response, even after joining again',
  }),
)
const EventHeaders = Type.Object({ ...SessionTokenHeader.properties, 'Idempotency-Key': IdempotencyKey })

export const participantRoutes = {
  discoverV4: defineRoute({
    ...v4,
    ...at.discoverV4,
    summary: 'List the experiments that are recruiting',
    auth: 'session',
    rateLimit: 'discover',
    headers: SessionTokenHeader,
    query: SessionClaims,
    success: { status: 200, schema: DiscoverAnswer, description: 'Experiments and session status' },
    errors: ['SESSION_COMPLETED'],
  }),
  mediaV4: defineRoute({
    ...v4,
    ...at.mediaV4,
    summary: 'Get the addresses of the videos, pictures and sounds that your room uses',
    description:
      'Uploaded videos, pictures and sounds that this participant may see, with signed paths that are valid for a limited time. Call it again for new ones.',
    auth: 'session',
    rateLimit: 'media',
    headers: SessionTokenHeader,
    query: SessionClaims,
    success: { status: 200, schema: MediaAnswer, description: 'The files; none before a room is assigned' },
    errors: ['SESSION_COMPLETED'],
  }),
  fileV4: defineRoute({
    ...v4,
    ...at.fileV4,
    summary: `Upload a file of up to ${limits.answerFileBytes} bytes for an answer`,
    description:
      '`multipart/form-data` with the one field `file`, for a component that takes one (`file_upload`, `audio_answer`), within its settings. The response to the component then names the file; a file that no response names is deleted with the participant.',
    auth: 'session',
    rateLimit: 'files',
    headers: SessionTokenHeader,
    params: Type.Object({ componentId: Name(200, 'The component that asks for it') }),
    query: SessionClaims,
    bodyType: 'multipart/form-data',
    body: Type.Object({ file: Type.String({ format: 'binary' }) }),
    success: { status: 200, schema: FileAnswer, description: 'Stored' },
    errors: [
      'ACTION_REFUSED',
      'CONSENT_REQUIRED',
      'SESSION_COMPLETED',
      'VIDEO_OFF',
      'QUOTA_EXCEEDED',
      'STORAGE_FULL',
    ],
  }),
  joinV4: defineRoute({
    ...v4,
    ...at.joinV4,
    summary: 'Join or resume an experiment and receive a session',
    description:
      'Joining again with the same identity resumes with the same participant and room and a new session. The previous session is revoked.',
    auth: 'id_token',
    guests: true,
    rateLimit: 'join',
    body: JoinBody,
    success: { status: 200, schema: JoinAnswer, description: 'The session and the experiment' },
    errors: ['EXPERIMENT_NOT_FOUND', 'EXPERIMENT_CLOSED', 'FORBIDDEN', 'QUOTA_EXCEEDED'],
  }),
  eventsV4: defineRoute({
    ...v4,
    ...at.eventsV4,
    summary: 'Record a batch of events',
    description:
      'A batch is stored completely or not at all, and acknowledged only once it is durable. Undocumented fields are kept with the event. If the experiment requires consent, nothing is accepted before `consent_given`, which may be the first event of a batch. `consent_declined` gives the place in the experiment back: `consent_given` after it takes another, or is refused (`EXPERIMENT_CLOSED`, `full`).',
    auth: 'session',
    rateLimit: 'events',
    headers: EventHeaders,
    query: SessionClaims,
    body: EventsBody,
    success: { status: 200, schema: EventsAnswer, description: 'The batch is stored' },
    errors: [
      'CONSENT_REQUIRED',
      'EXPERIMENT_CLOSED',
      'SESSION_COMPLETED',
      'QUOTA_EXCEEDED',
      'IDEMPOTENCY_CONFLICT',
    ],
  }),
  completeV4: defineRoute({
    ...v4,
    ...at.completeV4,
    summary: 'Complete the experiment and receive the completion code',
    description:
      'Repeating the call returns the same response. If the room decides the outcome (`completion.verify`), its decision overrides the body. If the experiment requires consent, only `NO_CONSENT` is accepted without it.',
    auth: 'session',
    rateLimit: 'complete',
    headers: SessionTokenHeader,
    query: SessionClaims,
    body: CompleteBody,
    success: { status: 200, schema: CompleteAnswer, description: 'The session has ended' },
    errors: ['CONSENT_REQUIRED', 'EVENTS_MISSING', 'NOT_FINISHED'],
  }),
  withdrawV4: defineRoute({
    ...v4,
    ...at.withdrawV4,
    summary: 'Delete yourself, where the experiment allows it',
    description:
      'Deletes what `withdrawal` in the definition says: who you are, or everything. Also after completion. Ends the session, so a repeated call is refused (`SESSION_INVALID`).',
    auth: 'session',
    rateLimit: 'complete',
    headers: SessionTokenHeader,
    query: SessionClaims,
    success: { status: 200, schema: WithdrawAnswer, description: 'Deleted' },
    errors: ['ACTION_REFUSED'],
  }),
  historyV4: defineRoute({
    ...v4,
    ...at.historyV4,
    summary: 'List your own sessions, newest first',
    auth: 'id_token',
    guests: true,
    rateLimit: 'history',
    success: { status: 200, schema: HistoryAnswer, description: 'The person’s sessions' },
  }),
  discoverV3: defineRoute({
    ...v3,
    ...at.discoverV3,
    summary: 'List the experiments that are recruiting',
    rateLimit: 'discover',
    success: { status: 200, schema: DiscoverAnswerV3, description: 'Experiments' },
  }),
  joinV3: defineRoute({
    ...v3,
    ...at.joinV3,
    summary: 'Join or resume an experiment',
    guests: true,
    rateLimit: 'join',
    body: JoinBody,
    success: { status: 200, schema: JoinAnswerV3, description: 'The participant and the experiment' },
    errors: ['EXPERIMENT_NOT_FOUND', 'EXPERIMENT_CLOSED', 'FORBIDDEN', 'QUOTA_EXCEEDED'],
  }),
  eventsV3: defineRoute({
    ...v3,
    ...at.eventsV3,
    summary: 'Record a batch of events in an experiment that you have joined',
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
      'QUOTA_EXCEEDED',
      'IDEMPOTENCY_CONFLICT',
    ],
  }),
  historyV3: defineRoute({
    ...v3,
    ...at.historyV3,
    summary: 'List the experiments that you have joined, newest first',
    guests: true,
    rateLimit: 'history',
    success: { status: 200, schema: HistoryAnswerV3, description: 'The person’s participations' },
  }),
} as const
