import { randomBytes } from 'node:crypto'
import { createMigratedDatabase } from './migrated-database.ts'
import { sharedPostgresUrl, startPostgres } from './postgres.ts'
import { type Redis, startRedis } from './redis.ts'
import { type Server, startObjectStore, startRouter, startServer, startWeb } from './server.ts'
import { waitUntil } from './wait.ts'

export type ClusterOptions = {
  /** Number of instances; two if absent. */
  pods?: number
  /** Configuration for every instance, beyond what makes them a cluster. */
  env?: Record<string, string>
  /** Configuration for the router, if there is one. */
  routerEnv?: Record<string, string>
  /** The program to run instead of the server's own entry. */
  entry?: string
  /** An empty database; a new one if absent. */
  databaseUrl?: string
  /** Whether a router runs in front of them; false if absent. */
  router?: boolean
  /** Whether the web app runs beside them as a separate program behind the router; false if absent. */
  web?: boolean
  /** Whether they share an object store, without which there are no videos; false if absent. */
  objects?: boolean
}

export type Cluster = {
  readonly servers: readonly Server[]
  readonly router: Server | undefined
  readonly web: Server | undefined
  readonly databaseUrl: string
  readonly redis: Redis
  stop(): Promise<void>
}

/** PostgreSQL, Redis, instances, a router and the web app, as plain processes on this machine. */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const { pods: count = 2, env = {}, entry, router: hasRouter = false } = options
  const stops: (() => Promise<unknown>)[] = []
  /** Stops everything even if a part had crashed, then throws that crash. */
  const stop = async (): Promise<void> => {
    const failures: unknown[] = []
    for (const undo of stops.splice(0).reverse()) await undo().catch((error) => failures.push(error))
    if (failures.length > 0) throw failures[0]
  }
  try {
    const databaseUrl = options.databaseUrl ?? (await freshDatabase(stops))
    const redis = await startRedis()
    stops.push(redis.stop)
    const objects = options.objects ? await startObjectStore() : undefined
    if (objects) stops.push(objects.stop)
    const shared = {
      HORIZONTAL_SCALING_ENABLED: 'true',
      DATABASE_URL: databaseUrl,
      REDIS_URL: redis.url,
      SESSION_SECRET: randomBytes(32).toString('base64url'),
      ...objects?.s3Env,
      ...env,
    }
    const web = options.web ? await startWeb({ ...objects?.s3Env }) : undefined
    if (web) stops.push(web.stop)
    const routerEnv = { ...(web && { ROUTER_WEB: web.http }), ...options.routerEnv }
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
    await Promise.all(starting) // Throws the first failure, if there is one.
    const [router, servers] = hasRouter ? [running[0], running.slice(1)] : [undefined, running]
    if (router)
      await waitUntil(async () => (await backendsOf(router)) === count || 'the router does not know all pods')
    return { servers, router, web, databaseUrl, redis, stop }
  } catch (error) {
    await stop().catch(() => undefined) // The first error explains more.
    throw error
  }
}

async function backendsOf(router: Server): Promise<number> {
  const response = await fetch(`${router.http}/health/router`)
  return ((await response.json()) as { backends: number }).backends
}

/** On the run's shared PostgreSQL; outside Vitest (benchmarks, demos) on a new one. */
async function freshDatabase(stops: (() => Promise<unknown>)[]): Promise<string> {
  if (sharedPostgresUrl() !== undefined) return createMigratedDatabase()
  const postgres = await startPostgres()
  stops.push(postgres.stop)
  return postgres.createDatabase()
}
