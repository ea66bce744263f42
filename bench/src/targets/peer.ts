import { hash } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { startServer } from '@atrium/testkit'
import type { Engine } from '../harness/engines.ts'
import type { EventsTarget } from '../load/http-load.ts'
import type { Inserts } from './naive-store.ts'

/**
 * Random-looking like the platform's own ids (R12: 32 random bytes), because inserting sorted ids into an index costs
 * much less. Derived from the index, so that the peer and the load generator know the same ids.
 */
const peerSessionId = (index: number): string => `sess_${hash('sha256', `peer ${index}`, 'base64url')}`
const peerSessionIds = (count: number): string[] => Array.from({ length: count }, (_, i) => peerSessionId(i))

export type PeerName = 'floor' | 'naive' | 'naive, one insert'

/** A server to compare with, in its own process. It creates its own sessions. */
export async function startPeer(name: PeerName, engine: Engine, sessions: number): Promise<EventsTarget> {
  const entry = fileURLToPath(
    name === 'floor' ? new URL('./floor.ts', import.meta.url) : new URL('./naive.ts', import.meta.url),
  )
  const inserts: Inserts = name === 'naive, one insert' ? 'block' : 'each'
  const env = { ...(await engine.freshEnv()), SESSIONS: String(sessions), INSERTS: inserts }
  const server = await startServer({ entry, env })
  return {
    name,
    pid: server.pid,
    stderr: server.stderr,
    address: server.http,
    eventsPath: '/events',
    lanes: peerSessionIds(sessions).map((id) => ({ headers: { 'x-session-id': id } })),
    stop: () => server.stop(),
  }
}

/** What a peer reads from its environment. */
export function peerSettings(env: NodeJS.ProcessEnv) {
  return {
    sessionIds: peerSessionIds(Number(env.SESSIONS)),
    databaseUrl: env.DATABASE_URL,
    dataDir: env.DATA_DIR ?? '.',
    inserts: env.INSERTS === 'block' ? ('block' as const) : ('each' as const),
  }
}

/** Prints the line from which the test kit learns where a server listens. A peer has no metrics port. */
export function printListening(address: AddressInfo | string | null): void {
  if (address === null || typeof address === 'string') throw new Error('a peer listens on a port')
  const http = `http://127.0.0.1:${address.port}`
  process.stdout.write(`${JSON.stringify({ event: 'listening', http, metrics: http })}\n`)
}
