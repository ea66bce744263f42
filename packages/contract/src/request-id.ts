import { apiKeyPrefix } from './api/key-access.ts'
import { sessionIdPrefix } from './session.ts'

/** The header that carries the id of a request through all programs, and back to the caller. */
export const requestIdHeader = 'x-request-id'

/**
 * Whether an id that a caller sends is used: it is short, cannot break a log line, and is no session id or API key: those
 * are credentials and must not be logged. Otherwise the program that reads it makes one.
 */
export const isRequestId = (value: unknown): value is string =>
  typeof value === 'string' &&
  /^[\w-]{1,64}$/.test(value) &&
  !value.includes(sessionIdPrefix) &&
  !value.includes(apiKeyPrefix)
