import { randomBytes } from 'node:crypto'
import { isRequestId, requestIdHeader } from '@atrium/contract'

export type RequestIds = (request: { headers: Record<string, unknown> }) => string

/** The id of a request: the one it brings, to be followed through several systems, or a new one. */
export function createRequestIds(): RequestIds {
  const prefix = randomBytes(4).toString('hex')
  let count = 0
  return ({ headers }) => {
    const brought = headers[requestIdHeader]
    return isRequestId(brought) ? brought : `${prefix}-${(++count).toString(36)}`
  }
}
