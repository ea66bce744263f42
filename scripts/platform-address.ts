type Environment = Readonly<Record<string, string | undefined>>

/**
 * The address of the platform: the one given, or else where a server with the same environment listens. A port that the
 * server chooses itself (0) cannot be known, so it counts as unset.
 */
export function platformAddress(said: string | undefined, { PUBLIC_URL, HOST, PORT }: Environment): string {
  const named = said ?? PUBLIC_URL
  if (named) return named.replace(/\/+$/, '')
  const isAnyInterface = !HOST || HOST === '0.0.0.0' || HOST === '::'
  const name = isAnyInterface ? '127.0.0.1' : HOST.includes(':') ? `[${HOST}]` : HOST
  return `http://${name}:${Number(PORT) || 3000}`
}
