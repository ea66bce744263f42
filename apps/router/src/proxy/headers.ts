import type { IncomingMessage } from 'node:http'
import { hopByHop, namedIn } from '../hop-by-hop.ts'
import type { NameClient } from './client-address.ts'

/** Written anew by the router; `expect` is answered by it. */
const replaced = new Set(['expect', 'host', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'])

/**
 * The headers for the backend, as lines of text. The Host stays: servers compare Origin with it. No value can hold a line
 * end, because all of them come out of Node's parser.
 */
export function requestHeaders(request: IncomingMessage, nameClient: NameClient): string {
  const { rawHeaders } = request
  const named = namedIn(request.headers.connection)
  let lines = request.headers.host === undefined ? '' : `host: ${request.headers.host}\r\n`
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] as string).toLowerCase()
    if (hopByHop.has(name) || replaced.has(name) || named?.has(name)) continue
    lines += `${name}: ${rawHeaders[at + 1]}\r\n`
  }
  return lines + nameClient(request)
}
