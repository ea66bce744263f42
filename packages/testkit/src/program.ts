import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { runAfterOurExit } from './guard.ts'
import { processTree, signalAll, stillRunning } from './process-tree.ts'
import { waitUntil } from './wait.ts'

export type ProgramOptions = {
  args: string[]
  cwd: string
  env: Record<string, string>
  user?: { uid: number; gid: number } | undefined
}

/** A real process and everything it starts, controlled from start to end. */
export type Program = {
  readonly pid: number
  /** Resolves with the exit code, or `null` if a signal ended it. Rejects only if it could not be started. */
  readonly exited: Promise<number | null>
  hasExited(): boolean
  stdout(): string
  stderr(): string
  /**
   * Sends `signal`, then SIGKILL after `graceMs`, and resolves like `exited`. Rejects if the program had already ended by
   * itself: a crash fails the test during which it happened.
   */
  end(signal: NodeJS.Signals, graceMs?: number): Promise<number | null>
  /** Sends SIGKILL to the whole tree and resolves when none of it runs any more. Rejects like `end`. */
  kill(): Promise<void>
  pause(): void
  resume(): void
}

class ProgramDied extends Error {
  constructor(path: string, how: number | NodeJS.Signals | null, stderr: string) {
    super(`${path} ended by itself (${how}); its last output: ${stderr.slice(-lastOutputChars)}`)
    this.name = 'ProgramDied'
  }
}

const keptOutputChars = 1_000_000
const lastOutputChars = 4_000
const killTreeScript =
  'children=$(cat /proc/"$1"/task/*/children 2>/dev/null); kill -9 "$1" $children 2>/dev/null'

export function startProgram(path: string, { args, cwd, env, user }: ProgramOptions): Program {
  const child = spawn(path, args, { cwd, env, ...user, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const stdout = collect(child.stdout)
  const stderr = collect(child.stderr)
  const pid = child.pid ?? 0
  const cancelGuard = pid === 0 ? () => undefined : runAfterOurExit(killTreeScript, String(pid))
  const exited = exitOf(child).finally(cancelGuard)
  exited.catch(() => undefined) // Callers that await `exited` see the error; until then it must not count as unhandled.
  const hasExited = () => pid === 0 || child.exitCode !== null || child.signalCode !== null

  let isAskedToEnd = false
  async function expectAlive(): Promise<void> {
    // Checks the process table, because the exit event may not have reached us yet.
    if (isAskedToEnd || pid === 0 || stillRunning([pid]).length > 0) return
    isAskedToEnd = true // Reported once: the clean-up that follows must not fail too.
    await exited
    throw new ProgramDied([path, ...args].slice(0, 2).join(' '), child.exitCode ?? child.signalCode, stderr())
  }

  const kill = async (): Promise<void> => {
    await expectAlive()
    isAskedToEnd = true
    if (!hasExited()) {
      const tree = freezeTree(pid)
      signalAll(tree, 'SIGKILL')
      await waitUntil(() => stillRunning(tree).length === 0 || `still running: ${stillRunning(tree)}`)
    }
    await exited
  }

  const end = async (signal: NodeJS.Signals, graceMs = 60_000): Promise<number | null> => {
    await expectAlive()
    isAskedToEnd = true
    if (hasExited()) return exited
    signalAll(processTree(pid), 'SIGCONT') // A paused process would ignore the signal.
    signalAll([pid], signal)
    const escalation = setTimeout(() => void kill(), graceMs)
    return exited.finally(() => clearTimeout(escalation))
  }

  return {
    pid,
    exited,
    hasExited,
    stdout,
    stderr,
    end,
    kill,
    pause: () => void (hasExited() || freezeTree(pid)),
    resume: () => void (hasExited() || signalAll(processTree(pid), 'SIGCONT')),
  }
}

/** PostgreSQL puts each child into its own process group, so a signal to the group would miss them. */
function freezeTree(pid: number): number[] {
  signalAll([pid], 'SIGSTOP') // First, so that it starts no more children meanwhile.
  const tree = processTree(pid)
  signalAll(tree, 'SIGSTOP')
  return tree
}

function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    // 'close' and not 'exit', because all output has been read by then.
    child.once('close', resolve)
  })
}

function collect(stream: NodeJS.ReadableStream): () => string {
  let kept = ''
  stream.setEncoding('utf8').on('data', (chunk) => {
    kept = (kept + chunk).slice(-keptOutputChars)
  })
  return () => kept
}

/** Absolute path of an installed program. */
export function findProgram(name: string): string {
  const path = pathOf(name)
  if (path === undefined) throw new Error(`${name} is not installed; \`npm test\` installs it`)
  return path
}

export const isInstalled = (name: string): boolean => pathOf(name) !== undefined

/** Debian keeps PostgreSQL's server programs off the PATH. */
function pathOf(name: string): string | undefined {
  const debianPostgres = '/usr/lib/postgresql'
  const versions = existsSync(debianPostgres) ? readdirSync(debianPostgres) : []
  const newestFirst = versions.toSorted((a, b) => Number(b) - Number(a))
  const folders = [
    ...(process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== ''),
    ...newestFirst.map((version) => join(debianPostgres, version, 'bin')),
  ]
  return folders.map((folder) => join(folder, name)).find(canRun)
}

/** Absolute path of a Python that has a module. Debian's packages are for Debian's own, which need not be the first one on the PATH. */
export function findPython(module: string): string {
  const canImport = (python: string) => spawnSync(python, ['-c', `import ${module}`]).status === 0
  const path = [findProgram('python3'), '/usr/bin/python3'].find(canImport)
  if (path === undefined) throw new Error(`no Python has ${module}; \`npm run test:long\` installs it`)
  return path
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
