import { afterAll, afterEach, beforeAll, describe } from 'vitest'
import { startCluster } from './cluster.ts'
import type { Redis } from './redis.ts'
import { type Server, startServer } from './server.ts'

/** The two ways the platform runs: one process on embedded parts, or instances on PostgreSQL and Redis. */
export type Mode = 'embedded' | 'cluster'

/** Whether this is `npm run test:long`, which takes more sizes and seeds. Its configuration sets this variable. */
export const isLongRun = process.env.ATRIUM_TEST_LONG === 'true'

export type WorldOptions = {
  /** Configuration for every server, beyond what the mode sets. */
  env?: Record<string, string>
  /** Number of instances in a cluster; an embedded world always has one server. */
  servers?: number
  /** The program to run instead of the server's own entry. */
  entry?: string
  /** An empty database for the instances of a cluster; a new one if absent. */
  databaseUrl?: string
  /** Whether a cluster has a router in front of its instances. */
  router?: boolean
  /** Configuration for that router. */
  routerEnv?: Record<string, string>
  /** Whether a cluster runs the web app as a separate program behind the router. */
  web?: boolean
  /** Whether a cluster has an object store; an embedded world always has one. */
  objects?: boolean
}

export type World = {
  readonly mode: Mode
  readonly servers: readonly Server[]
  /** The servers in turn, as behind a load balancer. */
  any(): Server
  /** What people connect to: the router if there is one, otherwise the servers in turn. */
  front(): Server
  readonly databaseUrl?: string
  readonly redis?: Redis
  stop(): Promise<void>
}

export async function startWorld(mode: Mode, options: WorldOptions = {}): Promise<World> {
  return mode === 'embedded' ? startEmbedded(options) : startPods(options)
}

/** Registers the same tests twice: against one embedded server, and against two instances on PostgreSQL and Redis. */
export function describeInBothModes(
  name: string,
  body: (world: () => World) => void,
  options: WorldOptions = {},
): void {
  describeIn(['embedded', 'cluster'], name, body, options)
}

/**
 * For stories about rules that are the same in both modes: `npm test` or `test:more` runs them in `mode`, `npm run test:long`
 * in the other one. Its configuration finds them by the name of this function.
 */
export function describeInOneMode(
  name: string,
  body: (world: () => World) => void,
  { mode = 'embedded', ...options }: WorldOptions & { mode?: Mode } = {},
): void {
  const other: Mode = mode === 'embedded' ? 'cluster' : 'embedded'
  describeIn([isLongRun ? other : mode], name, body, options)
}

/**
 * For tests that are not about them: a busy machine may hold PostgreSQL and Redis up for seconds, and what follows from
 * that is the subject of others.
 */
export const patience = { DATABASE_PATIENCE_MS: '20000', REDIS_PATIENCE_MS: '5000' }
/** The same for tests about Redis. */
export const patienceWithDatabase = { DATABASE_PATIENCE_MS: '20000' }

function describeIn(
  modes: Mode[],
  name: string,
  body: (world: () => World) => void,
  options: WorldOptions,
): void {
  describe.each<Mode>(modes)(`${name} (%s)`, (mode) => {
    let world: World | undefined
    const current = (): World => {
      if (world === undefined) throw new Error('the world starts in beforeAll: use it inside tests and hooks')
      return world
    }
    beforeAll(async () => {
      world = await startWorld(mode, { ...options, env: { ...patience, ...options.env } })
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
    front: () => server,
    async stop() {
      await server.stop()
    },
  }
}

async function startPods({ servers: pods = 2, ...options }: WorldOptions): Promise<World> {
  const cluster = await startCluster({ pods, ...options })
  const any = inTurn(cluster.servers)
  return { ...cluster, mode: 'cluster', any, front: () => cluster.router ?? any() }
}

function inTurn(servers: readonly Server[]): () => Server {
  let calls = 0
  return () => {
    const server = servers[calls++ % servers.length]
    if (server === undefined) throw new Error('this world has no servers')
    return server
  }
}

/** A failed test is of little use without the servers' logs. */
function printLogs({ servers }: World): void {
  for (const server of servers) {
    const log = `${server.stdout()}${server.stderr()}`.split('\n').slice(-40).join('\n')
    console.error(`--- server ${server.env.POD_NAME ?? server.http}\n${log}`)
  }
}
