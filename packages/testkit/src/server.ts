import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fillDataFolder } from './first-database.ts'
import { type Program, startProgram } from './program.ts'
import { programsVariable, runnableOf } from './runnable.ts'
import { createTemporaryFolder } from './temporary-folder.ts'
import { waitUntil } from './wait.ts'

export type ServerOptions = {
  /** Configuration beyond what every test server gets. Nothing else is inherited from this process. */
  env?: Record<string, string>
  /** Kept after the server ends; a temporary folder if absent, in a test run with the database of a first start. */
  dataDir?: string
  /** The program to run instead of the server's own entry. */
  entry?: string
  /** Arguments of the program. */
  args?: readonly string[]
}

/** A real program of the platform in its own process. */
export type Server = {
  readonly http: string
  readonly metrics: string
  readonly pid: number
  readonly env: Readonly<Record<string, string>>
  readonly dataDir: string
  stdout(): string
  stderr(): string
  /**
   * Sends SIGTERM and removes the data. Resolves with the exit code, or `null` if it had to be killed. Rejects if the
   * server had already ended by itself: no test passes if its server crashed.
   */
  stop(): Promise<number | null>
  /** Sends SIGTERM but keeps the data for `restart()`. */
  end(): Promise<number | null>
  /** Sends SIGKILL and resolves when the process is gone. Keeps the data for `restart()`. */
  kill(): Promise<void>
  pause(): void
  resume(): void
  /** With the same data and ports, and what has changed in its environment; also after `kill()`. */
  restart(changed?: Readonly<Record<string, string>>): Promise<void>
}

/** The server ended or stayed silent instead of listening. Tests of bad configuration expect this. */
export class ServerStartError extends Error {
  readonly exitCode: number | null
  readonly stderr: string

  constructor(exitCode: number | null, stderr: string) {
    super(`the server did not start (exit code ${exitCode}): ${stderr}`)
    this.name = 'ServerStartError'
    this.exitCode = exitCode
    this.stderr = stderr
  }
}

type Addresses = { http: string; metrics: string }
type Running = { program: Program; addresses: Addresses }

const entryOf = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url))
const serverEntry = entryOf('apps/server/src/entry/serve.ts')
const routerEntry = entryOf('apps/router/src/entry/route.ts')
const webEntry = entryOf('apps/server/src/entry/web.ts')
const objectStoreEntry = entryOf('packages/object-store/src/entry/store.ts')

/** As generous as `waitUntil`: several servers may start at once on a busy machine. */
const startTimeoutMs = 120_000

export async function startServer(options: ServerOptions = {}): Promise<Server> {
  const folder = createTemporaryFolder('server')
  const dataDir = options.dataDir ?? join(folder.path, 'data')
  const { entry = serverEntry, args = [] } = options
  const command = [runnableOf(entry), ...args]
  let env: Record<string, string> = { ...baseEnv(dataDir), ...options.env }
  if (options.dataDir === undefined && entry === serverEntry && hasExamples(env)) fillDataFolder(dataDir)
  let current: Running
  try {
    current = await launch(command, env, folder.path)
  } catch (error) {
    folder.remove()
    throw error
  }
  return {
    get env() {
      return env
    },
    dataDir,
    get http() {
      return current.addresses.http
    },
    get metrics() {
      return current.addresses.metrics
    },
    get pid() {
      return current.program.pid
    },
    stdout: () => current.program.stdout(),
    stderr: () => current.program.stderr(),
    async stop() {
      try {
        return await current.program.end('SIGTERM')
      } finally {
        folder.remove()
      }
    },
    end: () => current.program.end('SIGTERM'),
    kill: () => current.program.kill(),
    pause: () => current.program.pause(),
    resume: () => current.program.resume(),
    async restart(changed = {}) {
      env = { ...env, ...changed }
      await current.program.end('SIGTERM')
      current = await launch(command, { ...env, ...portsOf(current.addresses) }, folder.path)
    },
  }
}

export type RouterOptions = {
  redisUrl: string
  /** Configuration beyond what every test router gets. */
  env?: Record<string, string>
  /** The program to run instead of the router's own entry. */
  entry?: string
}

/** Starts the real router in its own process. */
export async function startRouter({
  redisUrl,
  env = {},
  entry = routerEntry,
}: RouterOptions): Promise<Server> {
  return await startServer({ entry, env: { ROUTER_PORT: '0', REDIS_URL: redisUrl, ...env } })
}

/** Starts the web app in its own process, as beside the instances of a cluster. The pages must have been built. */
export async function startWeb(env: Record<string, string> = {}): Promise<Server> {
  return await startServer({ entry: webEntry, env: { WEB_PORT: '0', ...env } })
}

/** An object store in its own process, and what a server needs to use it. */
export type ObjectStoreProgram = Server & {
  /** For the environment of servers and workers. */
  readonly s3Env: Readonly<Record<string, string>>
}

/** Starts the object store in its own process, as an S3 that all instances of a cluster share. */
export async function startObjectStore(env: Record<string, string> = {}): Promise<ObjectStoreProgram> {
  const keys = {
    VIDEO_BUCKET: 'atrium-test',
    S3_ACCESS_KEY_ID: 'atrium-test-key',
    S3_SECRET_ACCESS_KEY: 'atrium-test-secret',
  }
  const program = await startServer({ entry: objectStoreEntry, env: { ...keys, OBJECTS_PORT: '0', ...env } })
  const s3Env = { ...keys, S3_ENDPOINT: program.http, S3_REGION: 'us-east-1', S3_FORCE_PATH_STYLE: 'true' }
  return Object.assign(program, { s3Env }) // Not a copy: the addresses of a program are getters.
}

function baseEnv(dataDir: string): Record<string, string> {
  const programs = process.env[programsVariable]
  const inherited = ['PATH', 'HOME', 'TMPDIR', 'NODE_COMPILE_CACHE'].flatMap((key) => {
    const value = process.env[key]
    return value === undefined ? [] : [[key, value] as const]
  })
  return {
    ...Object.fromEntries(inherited),
    ...(programs !== undefined && { NODE_COMPILE_CACHE: join(programs, 'compiled') }),
    HOST: '127.0.0.1',
    PORT: '0',
    METRICS_PORT: '0',
    DATA_DIR: dataDir,
    // Nothing listens there: no test asks the real one.
    PROLIFIC_API_URL: 'http://127.0.0.1:9',
    LOG_LEVEL: 'warn',
    // Stories that are not about capacity open more rooms than the defaults allow on one instance.
    MAX_ROOMS_PER_POD: '1000',
    MAX_PARTICIPANTS_PER_POD: '4000',
  }
}

/** Whether the first start of a server loads the examples into a database of its own. */
const hasExamples = ({ DATABASE_URL, HOSTED, NODE_ENV }: Record<string, string>): boolean =>
  DATABASE_URL === undefined && HOSTED === undefined && NODE_ENV === undefined

function portsOf({ http, metrics }: Addresses): Record<string, string> {
  const { port } = new URL(http)
  return {
    PORT: port,
    ROUTER_PORT: port,
    WEB_PORT: port,
    OBJECTS_PORT: port,
    METRICS_PORT: new URL(metrics).port,
  }
}

async function launch(command: string[], env: Record<string, string>, cwd: string): Promise<Running> {
  const program = startProgram(process.execPath, { args: command, cwd, env })
  const listening = () =>
    program.hasExited() || findAddresses(program.stdout()) !== undefined || 'it does not listen yet'
  await waitUntil(listening, { timeoutMs: startTimeoutMs }).catch(() => program.kill())
  const addresses = findAddresses(program.stdout())
  if (addresses === undefined || program.hasExited()) {
    throw new ServerStartError(await program.exited, program.stderr())
  }
  return { program, addresses }
}

/** Reads the JSON line that says where the server listens. */
function findAddresses(stdout: string): Addresses | undefined {
  const line = stdout.split('\n').find((line) => line.startsWith('{') && line.includes('"event":"listening"'))
  if (line === undefined || !line.endsWith('}')) return undefined
  const { http, metrics }: { http?: unknown; metrics?: unknown } = JSON.parse(line)
  if (typeof http !== 'string' || typeof metrics !== 'string') throw new Error(`not addresses: ${line}`)
  return { http, metrics }
}
