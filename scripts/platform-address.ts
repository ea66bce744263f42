type Environment = Readonly<Record<string, string | undefined>>

/**
 * Where the platform runs: where the caller says, else where a server with the same environment listens. Ports that the
 * server chooses by itself (0) are nowhere to be read, so they count as unset.
 */
export function platformAddress(said: string | undefined, { PUBLIC_URL, HOST, PORT }: Environment): string {
  const named = said ?? PUBLIC_URL
  if (named) return named.replace(/\/+$/, '')
  const isAnyInterface = !HOST || HOST === '0.0.0.0' || HOST === '::'
  const name = isAnyInterface ? '127.0.0.1' : HOST.includes(':') ? `[${HOST}]` : HOST
  return `http://${name}:${Number(PORT) || 3000}`
}
