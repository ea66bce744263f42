import type { IncomingMessage } from 'node:http'
import type { ClientAddress } from './client-address.ts'
import { hopByHop, namedIn } from './hop-by-hop.ts'

/** Written anew by the router; `expect` is answered by it. */
const replaced = new Set(['expect', 'host', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'])

/**
 * The headers for the backend, as name, value, name, value. The Host stays: servers compare Origin with it. The length
 * of a body stays as well, and undici holds the body to it; all other framing is undici's.
 */
export function requestHeaders({ rawHeaders, headers }: IncomingMessage, client: ClientAddress): string[] {
  const named = namedIn(headers.connection)
  const passed: string[] = []
  if (headers.host !== undefined) passed.push('host', headers.host)
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase()
    if (hopByHop.has(name) || replaced.has(name) || named?.has(name)) continue
    passed.push(name, rawHeaders[at + 1] ?? '')
  }
  passed.push('x-forwarded-for', client.forwardedFor, 'x-forwarded-proto', client.scheme)
  if (client.host !== undefined) passed.push('x-forwarded-host', client.host)
  return passed
}

/** The headers for the client, from those of a backend's answer. */
export function answerHeaders(rawHeaders: readonly (string | Buffer)[]): string[] {
  const passed: string[] = []
  let connection: string | undefined
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = textOf(rawHeaders[at])
    const lowerName = name.toLowerCase()
    if (lowerName === 'connection') connection = joined(connection, textOf(rawHeaders[at + 1]))
    if (!hopByHop.has(lowerName)) passed.push(name, textOf(rawHeaders[at + 1]))
  }
  const named = namedIn(connection)
  return named ? without(named, passed) : passed
}

const joined = (former: string | undefined, value: string): string =>
  former === undefined ? value : `${former}, ${value}`

const without = (names: Set<string>, headers: string[]): string[] =>
  headers.filter((_, at) => !names.has((headers[at - (at % 2)] ?? '').toLowerCase()))

/** Bytes as they are: Node writes header values in the same encoding. */
const textOf = (part: string | Buffer | undefined): string =>
  typeof part === 'string' ? part : (part?.toString('latin1') ?? '')
