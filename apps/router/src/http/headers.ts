import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isRequestId, requestIdHeader } from '@atrium/contract'
import type { ClientAddress } from './client-address.ts'
import { framingHeaders } from './framing.ts'

/** Headers about a single connection (RFC 9110, 7.6.1). They are not forwarded in either direction. */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** The router writes these itself, and answers `expect` itself. */
const replaced = new Set([
  'expect',
  'host',
  requestIdHeader,
  'traceparent',
  'tracestate',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
])

/**
 * The headers for the backend, as name, value, name, value. Host is kept because servers compare Origin with it. So is
 * the length of a body, which undici enforces; undici writes all other framing itself. `traceparent` is that of our own
 * span; without one, what the request says is passed on if a proxy vouches for it.
 */
export function requestHeaders(
  request: IncomingMessage,
  client: ClientAddress,
  traceparent?: string,
): string[] {
  const { rawHeaders, headers } = request
  const named = namedIn(headers.connection)
  const forwarded: string[] = []
  if (headers.host !== undefined) forwarded.push('host', headers.host)
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase()
    if (hopByHop.has(name) || replaced.has(name) || named?.has(name)) continue
    forwarded.push(name, rawHeaders[at + 1] ?? '')
  }
  forwarded.push('x-forwarded-for', client.forwardedFor, 'x-forwarded-proto', client.scheme)
  if (client.host !== undefined) forwarded.push('x-forwarded-host', client.host)
  forwarded.push(requestIdHeader, requestIdOf(request))
  const trace = traceparent ?? client.traceparent
  if (trace !== undefined) forwarded.push('traceparent', trace)
  return forwarded
}

/** The headers for the client, taken from a backend's response. */
export function responseHeaders(rawHeaders: readonly (string | Buffer)[]): string[] {
  const forwarded: string[] = []
  let connection: string | undefined
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = textOf(rawHeaders[at])
    const lowerName = name.toLowerCase()
    if (lowerName === 'connection') connection = joined(connection, textOf(rawHeaders[at + 1]))
    if (!hopByHop.has(lowerName)) forwarded.push(name, textOf(rawHeaders[at + 1]))
  }
  const named = namedIn(connection)
  return named ? without(named, forwarded) : forwarded
}

/**
 * The headers that Connection makes hop-by-hop as well; undefined for its usual values, which name none. Never a header
 * that frames the message: a request that names one is refused earlier, and a response keeps it.
 */
function namedIn(connection: string | undefined): Set<string> | undefined {
  if (connection === undefined || /^(keep-alive|close|upgrade)$/i.test(connection)) return undefined
  const names = connection.split(',').map((name) => name.trim().toLowerCase())
  return new Set(names.filter((name) => !framingHeaders.has(name)))
}

const joined = (previous: string | undefined, value: string): string =>
  previous === undefined ? value : `${previous}, ${value}`

const without = (names: Set<string>, headers: string[]): string[] =>
  headers.filter((_, at) => !names.has((headers[at - (at % 2)] ?? '').toLowerCase()))

/** Latin1 keeps every byte, and Node writes header values in the same encoding. */
const textOf = (part: string | Buffer | undefined): string =>
  typeof part === 'string' ? part : (part?.toString('latin1') ?? '')

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
