import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createTemporaryFolder, type Server, startServer, waitUntil } from '@atrium/testkit'

const preload = new URL('./loop-watch.mjs', import.meta.url).href

export interface WatchedServer {
  server: Server
  /** The longest turn of the event loop since the last call, in units (see loop-watch.mjs). */
  longestTurn(): Promise<number>
  stop(): Promise<void>
}

/** A server that records how long each turn of its event loop takes. */
export async function startWatchedServer(env: Record<string, string> = {}): Promise<WatchedServer> {
  const folder = createTemporaryFolder('loop-watch')
  const file = join(folder.path, 'turns.jsonl')
  const server = await startServer({
    env: { ...env, NODE_OPTIONS: `--import=${preload}`, LOOP_WATCH_FILE: file },
  })
  let read = 0
  return {
    server,
    async longestTurn() {
      // After two responses, the turn before the first one has been recorded.
      for (let asked = 0; asked < 2; asked += 1) await fetch(`${server.http}/health/live`)
      await waitUntil(() => existsSync(file) || 'nothing is recorded yet')
      const lines = readFileSync(file, 'utf8').trim().split('\n')
      const turns = lines.slice(read).map((line): number => JSON.parse(line).held ?? 0)
      read = lines.length
      return Math.max(0, ...turns)
    },
    async stop() {
      await server.stop()
      folder.remove()
    },
  }
}
