import type { ErrorCode } from './errors.ts'
import { limits } from './limits.ts'

/** What a client does about each code, and what `details` holds for it. For the reference; no code reads it. */
export const errorGuide: Record<ErrorCode, { action: string; details?: string }> = {
  VALIDATION_FAILED: {
    action: 'Correct the request; sending it again unchanged fails again.',
    details: '`issues`: list of `{path, message}`',
  },
  UNAUTHENTICATED: { action: 'Obtain a fresh ID token and repeat the call with it.' },
  SESSION_EXPIRED: { action: 'Call join again.', details: '`sessionId`, `expiredAt`' },
  SESSION_INVALID: {
    action: 'Call join again.',
    details: '`reason`: `user_agent` when the session was opened by another browser',
  },
  FORBIDDEN: {
    action:
      'Ask an administrator for the role; where `details` names an access, ask the owner of the experiment for it.',
    details: '`access` that you have and `needed`, when it is about one experiment',
  },
  CONSENT_REQUIRED: {
    action:
      'Ask the participant, record the event `consent_given` and repeat the call; if they decline, record `consent_declined` and complete with `NO_CONSENT`.',
  },
  SESSION_MISMATCH: { action: 'Use the session of this experiment and room.' },
  NOT_FOUND: { action: 'Check the address and the identifiers in it.' },
  EXPERIMENT_NOT_FOUND: { action: 'Check the experiment’s id; discover lists those that are recruiting.' },
  REQUEST_TIMEOUT: { action: 'Send the request again, in smaller parts if the connection is slow.' },
  EXPERIMENT_CLOSED: {
    action: 'None: tell the participant that the experiment takes nobody in.',
    details:
      '`reason`: `status`, `full` or `already_completed`; with the last also `outcome`, `completionCode` and `redirectUrl`: how the participation ended and what was given',
  },
  SESSION_COMPLETED: { action: 'None: the participant has finished.' },
  EVENTS_MISSING: { action: 'Send the events that are still in the client’s queue, then complete again.' },
  NOT_FINISHED: {
    action:
      'Go on to the end of the flow, then complete. The platform’s outcomes other than SUCCESS may be named at any time.',
  },
  STATUS_CONFLICT: { action: 'Read the experiment and choose a status that follows from its present one.' },
  ROOM_NOT_FOUND: { action: 'Read the room id from the join answer or from `room_assigned`.' },
  ROOM_PAUSED: { action: 'Wait for the event `resumed`, then repeat the action under the same id.' },
  ROOM_ENDED: { action: 'Complete with the outcome that the room gave.' },
  ROOM_ELSEWHERE: { action: 'Connect again, with a pause of random length.' },
  ACTION_REFUSED: { action: 'Read the message; the snapshot shows what the room allows.' },
  PAYLOAD_TOO_LARGE: {
    action: `Send smaller batches; a batch holds at most ${limits.eventsPerBatch} events.`,
  },
  IDEMPOTENCY_CONFLICT: { action: 'Use a new key for a new body; a retry repeats the body unchanged.' },
  RATE_LIMITED: {
    action: 'Wait for the seconds in Retry-After, then repeat the call.',
    details: '`retryAfterSeconds`, also in the `data` of a refused handshake',
  },
  HEADERS_TOO_LARGE: { action: 'Send fewer or shorter headers and cookies.' },
  INTERNAL: { action: 'Retry once with the same idempotency key; report it with the X-Request-Id.' },
  BAD_GATEWAY: { action: 'Retry after a second with the same idempotency key; another instance takes over.' },
  UNAVAILABLE: { action: 'Wait for the seconds in Retry-After and retry with the same idempotency key.' },
  GATEWAY_TIMEOUT: { action: 'Retry with the same idempotency key: it may have been done all the same.' },
}
