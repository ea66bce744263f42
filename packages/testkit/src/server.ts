import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Program, startProgram } from './program.ts'
import { createTemporaryFolder } from './temporary-folder.ts'
import { waitUntil } from './wait.ts'

export type ServerOptions = {
  /** Configuration beyond what every test server gets. Nothing else is taken from this process's environment. */
  env?: Record<string, string>
  /** Kept after the end when given; otherwise a temporary folder. */
  dataDir?: string
  /** The program to run instead of the server's own entry. */
  entry?: string
  /** What stands after it on the command line. */
  args?: readonly string[]
}

/** The real server, in a process of its own. */
export type Server = {
  readonly http: string
  readonly metrics: string
  readonly pid: number
  readonly env: Readonly<Record<string, string>>
  readonly dataDir: string
  stdout(): string
  stderr(): string
  /**
   * SIGTERM; answers with the exit code, or null when it had to be killed. The data are removed. Rejects when the server
   * had ended by itself: no test passes whose server crashed.
   */
  stop(): Promise<number | null>
  /** SIGTERM as well, but the data stay for `restart()`. */
  end(): Promise<number | null>
  /** SIGKILL; back when the process is gone. The data stay for `restart()`. */
  kill(): Promise<void>
  pause(): void
  resume(): void
  /** Same environment, data and ports; also after `kill()`. */
  restart(): Promise<void>
}

/** The server ended (or stayed silent) instead of listening: what tests of bad configuration expect. */
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

const serverEntry = fileURLToPath(new URL('../../../apps/server/src/entry/serve.ts', import.meta.url))
/** As generous as `waitUntil`: several servers may start at once on a busy machine. */
const startTimeoutMs = 120_000

export async function startServer(options: ServerOptions = {}): Promise<Server> {
  const folder = createTemporaryFolder('server')
  const dataDir = options.dataDir ?? join(folder.path, 'data')
  const command = [options.entry ?? serverEntry, ...(options.args ?? [])]
  const env = { ...baseEnv(dataDir), ...options.env }
  let current: Running
  try {
    current = await launch(command, env, folder.path)
  } catch (error) {
    folder.remove()
    throw error
  }
  return {
    env,
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
    async restart() {
      await current.program.end('SIGTERM')
      current = await launch(command, { ...env, ...portsOf(current.addresses) }, folder.path)
    },
  }
}

function baseEnv(dataDir: string): Record<string, string> {
  const inherited = ['PATH', 'HOME', 'TMPDIR', 'NODE_COMPILE_CACHE'].flatMap((key) => {
    const value = process.env[key]
    return value === undefined ? [] : [[key, value] as const]
  })
  return {
    ...Object.fromEntries(inherited),
    HOST: '127.0.0.1',
    PORT: '0',
    METRICS_PORT: '0',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    // Stories that are not about capacity open more rooms than the defaults, and talk to one instance only.
    MAX_ROOMS_PER_POD: '1000',
    MAX_PARTICIPANTS_PER_POD: '4000',
  }
}

function portsOf({ http, metrics }: Addresses): Record<string, string> {
  const { port } = new URL(http)
  return { PORT: port, ROUTER_PORT: port, WEB_PORT: port, METRICS_PORT: new URL(metrics).port }
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

/** The one JSON line that says where the server listens. */
function findAddresses(stdout: string): Addresses | undefined {
  const line = stdout.split('\n').find((line) => line.startsWith('{') && line.includes('"event":"listening"'))
  if (line === undefined || !line.endsWith('}')) return undefined
  const { http, metrics }: { http?: unknown; metrics?: unknown } = JSON.parse(line)
  if (typeof http !== 'string' || typeof metrics !== 'string') throw new Error(`not addresses: ${line}`)
  return { http, metrics }
}
