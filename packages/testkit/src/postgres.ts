import { randomBytes } from 'node:crypto'
import { chownSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { onFreePort } from './free-port.ts'
import { findProgram, type Program, startProgram } from './program.ts'
import { createFolderInMemory, createTemporaryFolder, type TemporaryFolder } from './temporary-folder.ts'
import { waitUntil } from './wait.ts'

export type Postgres = {
  /** The maintenance database. Tests create their own with `createDatabase()`. */
  readonly url: string
  /** The address of a fresh, empty database. */
  createDatabase(): Promise<string>
  /** Shuts down properly and removes everything. */
  stop(): Promise<void>
  /** Sends SIGKILL, as in a power cut. Keeps the data for `restart()`. */
  kill(): Promise<void>
  /** Freezes the server and all its sessions: connections stay open but get no response. */
  pause(): void
  resume(): void
  /** With the same port and data; also after `kill()`. */
  restart(): Promise<void>
}

type User = { uid: number; gid: number }

const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  synchronous_commit: 'on',
}

export type PostgresOptions = {
  /**
   * Whether commits wait for the disk; true if absent. Without it, commits survive a kill of the program but not a power
   * cut, and benchmarks would look too good.
   */
  syncsToDisk?: boolean
  /** An empty folder for its data, which is kept afterwards; a temporary one if absent. */
  folder?: string
}

/** A real, throw-away PostgreSQL in a temporary folder, on a free loopback port. */
export async function startPostgres(options: PostgresOptions = {}): Promise<Postgres> {
  const { syncsToDisk = true } = options
  const folder = folderOf(options)
  const data = join(folder.path, 'data')
  const user = unprivilegedUser()
  if (user !== undefined) chownSync(folder.path, user.uid, user.gid)
  try {
    await createCluster(data, folder.path, user)
    let { program, port } = await onFreePort(async (port) => ({ port, program: await launch(port) }))
    const url = `postgres://postgres@127.0.0.1:${port}/postgres`
    return {
      url,
      createDatabase: () => createDatabase(url),
      async stop() {
        try {
          await program.end('SIGINT') // PostgreSQL's fast shutdown, which does not wait for clients to disconnect.
        } finally {
          folder.remove()
        }
      },
      kill: () => program.kill(),
      pause: () => program.pause(),
      resume: () => program.resume(),
      async restart() {
        await program.end('SIGINT')
        program = await launch(port)
      },
    }
  } catch (error) {
    folder.remove()
    throw error
  }

  async function launch(port: number): Promise<Program> {
    const options = Object.entries({ ...settings, fsync: syncsToDisk ? 'on' : 'off', port }).flatMap(
      ([key, value]) => ['-c', `${key}=${value}`],
    )
    const args = ['-D', data, ...options]
    const program = startProgram(findProgram('postgres'), { args, cwd: folder.path, env: plainEnv(), user })
    const ready = () => program.hasExited() || acceptsQueries(port)
    await waitUntil(ready, { timeoutMs: 120_000 }).catch(() => program.kill())
    if (program.hasExited()) throw new Error(`PostgreSQL did not start: ${program.stderr()}`)
    return program
  }
}

function folderOf({ syncsToDisk = true, folder }: PostgresOptions): TemporaryFolder {
  if (folder !== undefined) return { path: folder, remove: () => undefined }
  return syncsToDisk ? createTemporaryFolder('postgres') : createFolderInMemory('postgres')
}

/** The address of a new database, on the server at this address: empty, or a copy of another one. */
export async function createDatabase(
  serverUrl: string,
  template = 'template0',
  name = `atrium_${randomBytes(6).toString('hex')}`,
): Promise<string> {
  await query(serverUrl, `create database ${name} template ${template}`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

/** The variable in which the global set-up leaves the address of the run's shared PostgreSQL; workers inherit it. */
export const sharedPostgresVariable = 'ATRIUM_TEST_POSTGRES_URL'

export function sharedPostgresUrl(): string | undefined {
  return process.env[sharedPostgresVariable]
}

/** The address of a fresh, empty database on the run's shared PostgreSQL. */
export const createTestDatabase = async (): Promise<string> => createDatabase(requireSharedPostgres())

export function requireSharedPostgres(): string {
  const url = sharedPostgresUrl()
  if (url === undefined) throw new Error('the shared PostgreSQL runs only under Vitest; use startPostgres()')
  return url
}

async function createCluster(data: string, cwd: string, user: User | undefined): Promise<void> {
  const args = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']
  const initdb = startProgram(findProgram('initdb'), { args, cwd, env: plainEnv(), user })
  if ((await initdb.exited) !== 0) throw new Error(`initdb failed: ${initdb.stderr()}`)
}

async function acceptsQueries(port: number): Promise<true> {
  await query(`postgres://postgres@127.0.0.1:${port}/postgres`, 'select 1')
  return true
}

async function query(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined) // If the connection is cut, the query rejects too.
  try {
    await client.connect()
    await client.query(sql)
  } finally {
    await client.end()
  }
}

/** PostgreSQL refuses to run as root, so root runs it as `postgres` (which Debian's package creates) or `nobody`. */
function unprivilegedUser(): User | undefined {
  if (process.getuid?.() !== 0) return undefined
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const found = ['postgres', 'nobody'].map((name) => users.find((fields) => fields[0] === name)).find(Boolean)
  if (found === undefined) throw new Error('PostgreSQL needs a user postgres or nobody to run as')
  return { uid: Number(found[2]), gid: Number(found[3]) }
}

function plainEnv(): Record<string, string> {
  return { PATH: process.env.PATH ?? '', LC_ALL: 'C' }
}
