import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isRequestId, requestIdHeader } from '@atrium/contract'

/**
 * The id of a request: the one that it brings, or a new one. Kept among its parsed headers, so that the backend, the
 * router's own responses and the log have the same.
 */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const brought = headers[requestIdHeader]
  if (isRequestId(brought)) return brought
  const made = randomUUID()
  headers[requestIdHeader] = made
  return made
}
