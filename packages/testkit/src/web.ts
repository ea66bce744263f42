import { fileURLToPath } from 'node:url'
import { type Server, startServer } from './server.ts'

const webEntry = fileURLToPath(new URL('../../../apps/server/src/entry/web.ts', import.meta.url))

/** The web app as a program of its own, as it stands beside the pods of a cluster. It must be built. */
export async function startWeb(env: Record<string, string> = {}): Promise<Server> {
  return await startServer({ entry: webEntry, env: { WEB_PORT: '0', ...env } })
}
