import { fileURLToPath } from 'node:url'
import { type Server, startServer } from './server.ts'

export type RouterOptions = {
  redisUrl: string
  /** Configuration beyond what every test router gets. */
  env?: Record<string, string>
  /** The program to run instead of the router's own entry. */
  entry?: string
}

const routerEntry = fileURLToPath(new URL('../../../apps/router/src/entry/route.ts', import.meta.url))

/** The real router, in a process of its own. */
export async function startRouter({
  redisUrl,
  env = {},
  entry = routerEntry,
}: RouterOptions): Promise<Server> {
  return await startServer({ entry, env: { ROUTER_PORT: '0', REDIS_URL: redisUrl, ...env } })
}
