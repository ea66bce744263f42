import { randomBytes } from 'node:crypto'
import { startPostgres } from './postgres.ts'
import { type Redis, startRedis } from './redis.ts'
import { startRouter } from './router.ts'
import { type Server, startServer } from './server.ts'
import { createTestDatabase, sharedPostgresUrl } from './shared-postgres.ts'
import { waitUntil } from './wait.ts'
import { startWeb } from './web.ts'

export type ClusterOptions = {
  /** How many instances of the server; two when absent. */
  pods?: number
  /** Configuration for every pod, beyond what makes them a cluster. */
  env?: Record<string, string>
  /** The program to run instead of the server's own entry. */
  entry?: string
  /** An empty database; one of its own when absent. */
  databaseUrl?: string
  /** Whether there is a router in front of them; false when absent. */
  router?: boolean
  /** Whether the web app runs beside them, as a program of its own behind the router; false when absent. */
  web?: boolean
}

export type Cluster = {
  readonly servers: readonly Server[]
  readonly router: Server | undefined
  readonly web: Server | undefined
  readonly databaseUrl: string
  readonly redis: Redis
  stop(): Promise<void>
}

/** PostgreSQL, Redis, pods, a router and the web app, as plain processes on this machine. */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const { pods: count = 2, env = {}, entry, router: hasRouter = false } = options
  const stops: (() => Promise<unknown>)[] = []
  /** Everything is stopped, also when one part had crashed; then that is what is said of it. */
  const stop = async (): Promise<void> => {
    const failures: unknown[] = []
    for (const undo of stops.splice(0).reverse()) await undo().catch((error) => failures.push(error))
    if (failures.length > 0) throw failures[0]
  }
  try {
    const databaseUrl = options.databaseUrl ?? (await freshDatabase(stops))
    const redis = await startRedis()
    stops.push(redis.stop)
    const shared = {
      HORIZONTAL_SCALING_ENABLED: 'true',
      DATABASE_URL: databaseUrl,
      REDIS_URL: redis.url,
      SESSION_SECRET: randomBytes(32).toString('base64url'),
      ...env,
    }
    const web = options.web ? await startWeb() : undefined
    if (web) stops.push(web.stop)
    const routerEnv: Record<string, string> = web ? { ROUTER_WEB: web.http } : {}
    const starting = [
      ...(hasRouter ? [startRouter({ redisUrl: redis.url, env: routerEnv })] : []),
      ...Array.from({ length: count }, (_, pod) =>
        startServer({ env: { ...shared, POD_NAME: `pod-${pod}` }, ...(entry && { entry }) }),
      ),
    ]
    const started = await Promise.allSettled(starting)
    const running = started.flatMap((program) => (program.status === 'fulfilled' ? [program.value] : []))
    stops.push(async () => {
      const stopped = await Promise.allSettled(running.map((program) => program.stop()))
      for (const one of stopped) if (one.status === 'rejected') throw one.reason
    })
    await Promise.all(starting) // Throws the first failure, when there is one.
    const [router, servers] = hasRouter ? [running[0], running.slice(1)] : [undefined, running]
    if (router)
      await waitUntil(async () => (await backendsOf(router)) === count || 'the router does not know all pods')
    return { servers, router, web, databaseUrl, redis, stop }
  } catch (error) {
    await stop().catch(() => undefined) // What came first is the better reason.
    throw error
  }
}

async function backendsOf(router: Server): Promise<number> {
  const answer = await fetch(`${router.http}/health/router`)
  return ((await answer.json()) as { backends: number }).backends
}

/** On the run's shared PostgreSQL; outside Vitest (benchmarks, demos) on one of our own. */
async function freshDatabase(stops: (() => Promise<unknown>)[]): Promise<string> {
  if (sharedPostgresUrl() !== undefined) return createTestDatabase()
  const postgres = await startPostgres()
  stops.push(postgres.stop)
  return postgres.createDatabase()
}
