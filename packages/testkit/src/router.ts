import { fileURLToPath } from 'node:url'
import { type Server, startServer } from './server.ts'

export type RouterOptions = {
  redisUrl: string
  /** Configuration beyond what every test router gets. */
  env?: Record<string, string>
}

const routerEntry = fileURLToPath(new URL('../../../apps/router/src/entry/route.ts', import.meta.url))

/** The real router, in a process of its own. */
export async function startRouter({ redisUrl, env = {} }: RouterOptions): Promise<Server> {
  return await startServer({ entry: routerEntry, env: { ROUTER_PORT: '0', REDIS_URL: redisUrl, ...env } })
}
