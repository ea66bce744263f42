import { hash } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { startServer } from '@atrium/testkit'
import type { Engine } from '../harness/engines.ts'
import type { Inserts } from './naive-store.ts'
import type { Target } from './target.ts'

/**
 * As the platform's own look (R12: 32 random bytes), because an index takes ids in order for much less than ids in
 * none. Drawn from the number, so that the peer and the load know the same ones.
 */
const peerSessionId = (index: number): string => `sess_${hash('sha256', `peer ${index}`, 'base64url')}`
const peerSessionIds = (count: number): string[] => Array.from({ length: count }, (_, i) => peerSessionId(i))

export type PeerName = 'floor' | 'naive' | 'naive, one insert'

/** A server to compare with, in a process of its own. It makes its sessions itself, as many as it is told. */
export async function startPeer(name: PeerName, engine: Engine, sessions: number): Promise<Target> {
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

/** The line by which the test kit learns where a server listens. A peer has no metrics port. */
export function sayListening(address: AddressInfo | string | null): void {
  if (address === null || typeof address === 'string') throw new Error('a peer listens on a port')
  const http = `http://127.0.0.1:${address.port}`
  process.stdout.write(`${JSON.stringify({ event: 'listening', http, metrics: http })}\n`)
}
