import { framingHeaders } from './framing.ts'

/** About one connection only (RFC 9110, 7.6.1): they end here, in both directions. */
export const hopByHop = new Set([
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

/**
 * Which headers Connection makes hop-by-hop as well; undefined for the usual values, which name none. Never one that
 * frames the message: a request that names one is refused before, and an answer keeps it.
 */
export function namedIn(connection: string | undefined): Set<string> | undefined {
  if (connection === undefined || /^(keep-alive|close|upgrade)$/i.test(connection)) return undefined
  const names = connection.split(',').map((name) => name.trim().toLowerCase())
  return new Set(names.filter((name) => !framingHeaders.has(name)))
}
