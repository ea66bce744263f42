import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe } from 'vitest'
import { startPostgres } from './postgres.ts'
import { type Redis, startRedis } from './redis.ts'
import { type Server, startServer } from './server.ts'
import { createTestDatabase, sharedPostgresUrl } from './shared-postgres.ts'

/** The two ways the platform runs: one process on embedded parts, or pods on PostgreSQL and Redis. */
export type Mode = 'embedded' | 'cluster'

export type WorldOptions = {
  /** Configuration for every server, beyond what the mode sets. */
  env?: Record<string, string>
  /** How many pods a cluster has; an embedded world is always one server. */
  servers?: number
  /** The program to run instead of the server's own entry. */
  entry?: string
}

export type World = {
  readonly mode: Mode
  readonly servers: readonly Server[]
  /** The servers in turn, as behind a load balancer. */
  any(): Server
  readonly databaseUrl?: string
  readonly redis?: Redis
  stop(): Promise<void>
}

export async function startWorld(mode: Mode, options: WorldOptions = {}): Promise<World> {
  return mode === 'embedded' ? startEmbedded(options) : startCluster(options)
}

/** Registers the same tests twice: against one embedded server, and against two pods on PostgreSQL and Redis. */
export function describeInBothModes(
  name: string,
  body: (world: () => World) => void,
  options: WorldOptions = {},
): void {
  describe.each<Mode>(['embedded', 'cluster'])(`${name} (%s)`, (mode) => {
    let world: World | undefined
    const current = (): World => {
      if (world === undefined) throw new Error('the world starts in beforeAll: use it inside tests and hooks')
      return world
    }
    beforeAll(async () => {
      world = await startWorld(mode, options)
    })
    afterAll(() => world?.stop())
    afterEach(({ task }) => {
      if (task.result?.state === 'fail') printLogs(current())
    })
    body(current)
  })
}

async function startEmbedded({ env = {}, entry }: WorldOptions): Promise<World> {
  const server = await startServer({ env, ...(entry && { entry }) })
  return {
    mode: 'embedded',
    servers: [server],
    any: () => server,
    async stop() {
      await server.stop()
    },
  }
}

async function startCluster({ env = {}, servers: count = 2, entry }: WorldOptions): Promise<World> {
  const stops: (() => Promise<unknown>)[] = []
  const stop = async (): Promise<void> => {
    for (const undo of stops.splice(0).reverse()) await undo()
  }
  try {
    const databaseUrl = await freshDatabase(stops)
    const redis = await startRedis()
    stops.push(redis.stop)
    const shared = {
      HORIZONTAL_SCALING_ENABLED: 'true',
      DATABASE_URL: databaseUrl,
      REDIS_URL: redis.url,
      SESSION_SECRET: randomBytes(32).toString('base64url'),
      ...env,
    }
    const pods = Array.from({ length: count }, (_, pod) =>
      startServer({ env: { ...shared, POD_NAME: `pod-${pod}` }, ...(entry && { entry }) }),
    )
    const started = await Promise.allSettled(pods)
    const servers = started.flatMap((pod) => (pod.status === 'fulfilled' ? [pod.value] : []))
    stops.push(() => Promise.all(servers.map((server) => server.stop())))
    await Promise.all(pods) // Throws the first failure, when there is one.
    return { mode: 'cluster', servers, any: inTurn(servers), databaseUrl, redis, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** On the run's shared PostgreSQL; outside Vitest (benchmarks, demos) on one of our own. */
async function freshDatabase(stops: (() => Promise<unknown>)[]): Promise<string> {
  if (sharedPostgresUrl() !== undefined) return createTestDatabase()
  const postgres = await startPostgres()
  stops.push(postgres.stop)
  return postgres.createDatabase()
}

function inTurn(servers: readonly Server[]): () => Server {
  let calls = 0
  return () => {
    const server = servers[calls++ % servers.length]
    if (server === undefined) throw new Error('this world has no servers')
    return server
  }
}

/** A failed test is of little use without what the servers said meanwhile. */
function printLogs({ servers }: World): void {
  for (const server of servers) {
    const log = `${server.stdout()}${server.stderr()}`.split('\n').slice(-40).join('\n')
    console.error(`--- server ${server.env.POD_NAME ?? server.http}\n${log}`)
  }
}
