import type { IncomingMessage } from 'node:http'
import type { NameClient } from './client-address.ts'

/** About one connection only (RFC 9110, 7.6.1): they end here, either way. */
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

/** Written anew by the router; `expect` is answered by it. */
const replaced = new Set(['expect', 'host', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'])

/** The headers for the backend, as name, value, name, value. The Host stays: servers compare Origin with it. */
export function requestHeaders(request: IncomingMessage, nameClient: NameClient): string[] {
  const { rawHeaders } = request
  const named = namedIn(request.headers.connection)
  const headers: string[] = []
  if (request.headers.host !== undefined) headers.push('host', request.headers.host)
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] as string).toLowerCase()
    if (hopByHop.has(name) || replaced.has(name) || named?.has(name)) continue
    headers.push(name, rawHeaders[at + 1] as string)
  }
  nameClient(request, headers)
  return headers
}

/** The headers for the client, from those of a backend's answer. */
export function answerHeaders(rawHeaders: readonly (string | Buffer)[]): string[] {
  const headers: string[] = []
  let connection: string | undefined
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = textOf(rawHeaders[at])
    const lowerName = name.toLowerCase()
    if (lowerName === 'connection') connection = textOf(rawHeaders[at + 1])
    if (!hopByHop.has(lowerName)) headers.push(name, textOf(rawHeaders[at + 1]))
  }
  const named = namedIn(connection)
  return named ? without(named, headers) : headers
}

/** Which headers Connection makes hop-by-hop as well; undefined for the usual values, which name none. */
function namedIn(connection: string | undefined): Set<string> | undefined {
  if (connection === undefined || /^(keep-alive|close|upgrade)$/i.test(connection)) return undefined
  return new Set(connection.split(',').map((name) => name.trim().toLowerCase()))
}

const without = (names: Set<string>, headers: string[]): string[] =>
  headers.filter((_, at) => !names.has((headers[at - (at % 2)] as string).toLowerCase()))

/** Bytes as they are: Node writes header values in the same encoding. */
const textOf = (part: string | Buffer | undefined): string =>
  typeof part === 'string' ? part : (part?.toString('latin1') ?? '')
