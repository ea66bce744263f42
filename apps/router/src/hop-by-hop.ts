/** About one connection only (RFC 9110, 7.6.1): they end here, either way. */
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

/** Which headers Connection makes hop-by-hop as well; undefined for the usual values, which name none. */
export function namedIn(connection: string | undefined): Set<string> | undefined {
  if (connection === undefined || /^(keep-alive|close|upgrade)$/i.test(connection)) return undefined
  return new Set(connection.split(',').map((name) => name.trim().toLowerCase()))
}

export const without = (names: Set<string>, headers: string[]): string[] =>
  headers.filter((_, at) => !names.has((headers[at - (at % 2)] as string).toLowerCase()))
