import { ApiRefused, NoAnswer } from './errors.ts'

/** The session has ended; joining again gives another. */
export const isSessionLost = (error: unknown): error is ApiRefused =>
  error instanceof ApiRefused && (error.code === 'SESSION_EXPIRED' || error.code === 'SESSION_INVALID')

const passingStatuses = new Set([408, 425, 429])

/** Worth repeating unchanged: there was no response, or the server had a problem of its own. */
export const isPassing = (error: unknown): boolean =>
  error instanceof NoAnswer ||
  (error instanceof ApiRefused &&
    (error.status >= 500 || passingStatuses.has(error.status) || error.code === 'UNKNOWN'))

export type Verdict =
  | { kind: 'retry' }
  | { kind: 'rejoin' }
  /** The batch is too large, or something in it is refused and the response does not say what: try fewer events. */
  | { kind: 'fewer' }
  | { kind: 'quarantine'; eventIds: string[] }
  /** The server accepts nothing but a consent answer. */
  | { kind: 'await_consent' }
  | { kind: 'stop' }

/**
 * What a failed batch means. Unknown failures are retried: an event is set aside only when the server has named it, or
 * has refused it on its own.
 */
export function verdictOn(error: unknown, batch: readonly { eventId: string }[]): Verdict {
  if (isSessionLost(error)) return { kind: 'rejoin' }
  if (!(error instanceof ApiRefused)) return { kind: 'retry' }
  switch (error.code) {
    case 'PAYLOAD_TOO_LARGE':
    // We make no claims about the session, so a mismatch means that an event names another experiment or room (R16).
    case 'SESSION_MISMATCH':
    case 'VALIDATION_FAILED':
    case 'IDEMPOTENCY_CONFLICT':
      return refusal(error, batch)
    case 'QUOTA_EXCEEDED':
      // Fewer would not fit either, or take what is left one by one. They stay on this device.
      return { kind: 'quarantine', eventIds: batch.map(({ eventId }) => eventId) }
    case 'CONSENT_REQUIRED':
      return { kind: 'await_consent' }
    case 'SESSION_COMPLETED':
      return { kind: 'stop' }
    default:
      return error.status === 413 ? refusal(error, batch) : { kind: 'retry' }
  }
}

function refusal(error: ApiRefused, batch: readonly { eventId: string }[]): Verdict {
  const [only] = batch
  if (batch.length === 1 && only) return { kind: 'quarantine', eventIds: [only.eventId] }
  const eventIds = [...new Set([...namedByIssues(error, batch), ...namedByKey(error, batch)])]
  // When all of them are named, the fault may be in the request itself; sending fewer will show.
  return eventIds.length > 0 && eventIds.length < batch.length
    ? { kind: 'quarantine', eventIds }
    : { kind: 'fewer' }
}

/** `issues[].path` is a JSON pointer: /events/3/data/value. */
function namedByIssues({ code, details }: ApiRefused, batch: readonly { eventId: string }[]): string[] {
  if (code !== 'VALIDATION_FAILED' || !Array.isArray(details.issues)) return []
  return details.issues.flatMap((issue: unknown) => {
    const path = typeof issue === 'object' && issue !== null && 'path' in issue ? issue.path : undefined
    const index = typeof path === 'string' ? /^\/events\/(\d+)(\/|$)/.exec(path)?.[1] : undefined
    const event = index === undefined ? undefined : batch[Number(index)]
    return event ? [event.eventId] : []
  })
}

function namedByKey({ code, details }: ApiRefused, batch: readonly { eventId: string }[]): string[] {
  if (code !== 'IDEMPOTENCY_CONFLICT') return []
  return batch.filter(({ eventId }) => eventId === details.key).map(({ eventId }) => eventId)
}
