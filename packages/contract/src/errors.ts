import { limits } from './limits.ts'

/**
 * Every error of the platform: code → HTTP status → the message used when the code that throws it gives no more
 * specific one. HTTP and sockets each map from here.
 */
export const errorCatalogue = {
  VALIDATION_FAILED: { status: 400, sentence: 'The request is not in the documented format.' },
  UNAUTHENTICATED: {
    status: 401,
    sentence: 'A valid ID token is required: Authorization: Bearer <ID_TOKEN>.',
  },
  SESSION_EXPIRED: { status: 401, sentence: 'The session has expired. Join again.' },
  SESSION_INVALID: { status: 401, sentence: 'The session is unknown or has been revoked. Join again.' },
  FORBIDDEN: { status: 403, sentence: 'Your role does not allow this.' },
  CONSENT_REQUIRED: {
    status: 403,
    sentence:
      'This study requires consent. Until it is given, only `consent_given` or `consent_declined` is accepted.',
  },
  SESSION_MISMATCH: { status: 403, sentence: 'The session belongs to another experiment or room.' },
  NOT_FOUND: { status: 404, sentence: 'There is nothing at this address.' },
  EXPERIMENT_NOT_FOUND: { status: 404, sentence: 'There is no such experiment.' },
  ROOM_NOT_FOUND: { status: 404, sentence: 'There is no such room.' },
  MEDIA_NOT_FOUND: { status: 404, sentence: 'There is no such picture or sound.' },
  VIDEO_NOT_FOUND: { status: 404, sentence: 'Video not found' },
  PROLIFIC_STUDY_NOT_FOUND: {
    status: 404,
    sentence: 'This experiment has no such study or submission at Prolific.',
  },
  CREDENTIAL_NOT_FOUND: { status: 404, sentence: 'There is no such credential.' },
  KEY_NOT_FOUND: { status: 404, sentence: 'There is no such API key.' },
  TABLE_NOT_FOUND: { status: 404, sentence: 'There is no such table that you may use.' },
  UPLOAD_NOT_FOUND: { status: 404, sentence: 'There is no such upload under way.' },
  REQUEST_TIMEOUT: { status: 408, sentence: 'The request took too long to arrive.' },
  EXPERIMENT_CLOSED: { status: 409, sentence: 'The experiment no longer accepts participants.' },
  SESSION_COMPLETED: { status: 409, sentence: 'The session is completed and accepts no more data.' },
  EVENTS_MISSING: {
    status: 409,
    sentence: 'Fewer events are stored than the summary reports. Send the missing events first.',
  },
  NOT_FINISHED: {
    status: 409,
    sentence: 'You have not reached the end of the experiment yet.',
  },
  REVISION_CONFLICT: {
    status: 409,
    sentence: 'Somebody else has saved a revision in the meantime. Nothing was saved.',
  },
  DRAFT_CONFLICT: {
    status: 409,
    sentence: 'Somebody else has changed the draft in the meantime. Nothing was saved.',
  },
  NOT_PUBLISHED: {
    status: 409,
    sentence: 'Nothing of this experiment has been published yet. Publish its draft first.',
  },
  STATUS_CONFLICT: {
    status: 409,
    sentence: 'The current status of the experiment does not allow this.',
  },
  ROOM_PAUSED: { status: 409, sentence: 'The room is paused.' },
  ROOM_ENDED: { status: 409, sentence: 'The room has ended.' },
  ROOM_ELSEWHERE: { status: 409, sentence: 'The room is on another instance. Reconnect.' },
  ACTION_REFUSED: { status: 409, sentence: 'The room does not allow this now.' },
  NOT_SHOWN: { status: 409, sentence: 'This is not shown to you now, so it cannot be answered.' },
  MEDIA_IN_USE: { status: 409, sentence: 'An experiment uses this file, so it cannot be deleted.' },
  MEDIA_NAME_TAKEN: { status: 409, sentence: 'You have another file with this name.' },
  MEDIA_LIMIT: {
    status: 409,
    sentence: `Nobody can keep more than ${limits.media.filesPerResearcher} pictures and sounds, or more than ${limits.media.bytesPerResearcher} bytes of them.`,
  },
  VIDEO_IN_USE: { status: 409, sentence: 'An experiment uses this video, so it cannot be deleted.' },
  VIDEO_FAILED: {
    status: 409,
    sentence: 'The experiment plays a video that could not be processed.',
  },
  CREDENTIAL_IN_USE: {
    status: 409,
    sentence: 'A running experiment uses this credential, so it cannot be deleted.',
  },
  CREDENTIAL_LIMIT: {
    status: 409,
    sentence: `You have ${limits.credentialsPerResearcher} credentials, and nobody can have more.`,
  },
  CREDENTIAL_MISSING: {
    status: 409,
    sentence: 'An agent of the experiment uses a credential that has been deleted.',
  },
  CREDENTIAL_TEST_RUNNING: { status: 409, sentence: 'A test of this credential is already running.' },
  CREDENTIAL_UNREADABLE: {
    status: 409,
    sentence:
      'The API key of this credential was encrypted with a key that the server no longer has. Enter the API key again.',
  },
  PROLIFIC_NOT_CONNECTED: { status: 409, sentence: 'This experiment is not connected to Prolific.' },
  PROLIFIC_BONUS_EXISTS: {
    status: 409,
    sentence: 'A bonus for this submission was already paid or may have been paid.',
  },
  TABLE_LIMIT: {
    status: 409,
    sentence: `You have ${limits.tables.perResearcher} tables already. Delete one that you no longer need.`,
  },
  KEY_LIMIT: {
    status: 409,
    sentence: `You have ${limits.keysPerResearcher} API keys, and nobody can have more.`,
  },
  EXPORT_CHANGED: {
    status: 409,
    sentence: 'The data has changed, so the file cannot be continued. Download it again from the beginning.',
  },
  UPLOAD_COMPLETED: { status: 409, sentence: 'The upload is complete and cannot be abandoned any more.' },
  UPLOAD_UNFINISHED: { status: 409, sentence: 'The upload of this video is not finished.' },
  UPLOAD_LIMIT: {
    status: 409,
    sentence: `You have ${limits.openUploadsPerResearcher} uploads under way, and nobody can have more.`,
  },
  VIDEO_OFF: { status: 409, sentence: 'This installation has no object store, so it takes no videos.' },
  PAYLOAD_TOO_LARGE: { status: 413, sentence: 'The request body is larger than 1 MiB.' },
  QUOTA_EXCEEDED: { status: 413, sentence: 'No more data may be stored for this participant or study.' },
  HOST_REFUSED: {
    status: 421,
    sentence:
      'This server does not answer to this host name. Open it by an IP address or as localhost, or set PUBLIC_URL to the address that people use.',
  },
  PROLIFIC_REFUSED: { status: 422, sentence: 'Prolific has refused the request.' },
  AGENT_ADDRESS_REFUSED: {
    status: 422,
    sentence: 'The model server cannot be used: it has to answer over https at a public address.',
  },
  IDEMPOTENCY_CONFLICT: { status: 422, sentence: 'This key was already used with a different body.' },
  RATE_LIMITED: {
    status: 429,
    sentence: 'Too many requests. Wait for the number of seconds in Retry-After.',
  },
  HEADERS_TOO_LARGE: { status: 431, sentence: 'The request headers are too large.' },
  INTERNAL: {
    status: 500,
    sentence: 'Something went wrong on our side. Include the request id when you report it.',
  },
  PROLIFIC_UNAVAILABLE: { status: 502, sentence: 'Prolific cannot be reached or does not respond properly.' },
  BAD_GATEWAY: { status: 502, sentence: 'The responsible instance cannot be reached.' },
  UNAVAILABLE: { status: 503, sentence: 'The service is temporarily unavailable. Try again shortly.' },
  GATEWAY_TIMEOUT: { status: 504, sentence: 'The responsible instance did not respond in time.' },
  STORAGE_FULL: { status: 507, sentence: 'There is no space left for this file.' },
} as const

export type ErrorCode = keyof typeof errorCatalogue

export const errorCodes = Object.keys(errorCatalogue) as ErrorCode[]

/** What is wrong with a value, and where. */
export interface ValidationIssue {
  path: string
  message: string
}

export type EnvelopeKind = 'participant' | 'plain'

/** Which of the two error bodies an address uses. */
export const envelopeKindOf = (path: string): EnvelopeKind =>
  /^\/api\/v[34](\/|\?|$)/.test(path) ? 'participant' : 'plain'

export const errorBody = (
  kind: EnvelopeKind,
  { code, message, details }: { code: ErrorCode; message: string; details: object },
): object =>
  kind === 'participant'
    ? { status: 'error', error: { code, message, details } }
    : { error: message, code, details }
