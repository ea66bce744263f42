import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { type Clock, systemClock } from '@atrium/model-checks'
import { oneLine } from '../one-line.ts'

const linesKept = 8
/** Of what was not worth keeping. */
const fewLines = 3
const longestLine = 400
const defaultGraceMs = 5_000

export interface Child {
  readonly pid: number | undefined
  /** Settles when it has ended, with a sentence; also if it could not be started. */
  readonly ended: Promise<string>
  readonly hasEnded: boolean
  /** Settles like `ended`, but only if nobody has stopped it. */
  readonly lost: Promise<string>
  /** What it said last; empty if nothing. */
  lastOutput(): string
  /** SIGTERM, then SIGKILL if it has not ended after the grace. Safe to call twice. */
  stop(): Promise<void>
}

export interface ChildOptions {
  env: NodeJS.ProcessEnv
  graceMs?: number | undefined
  clock?: Clock
  onLine?: (line: string) => void
  /** Which lines are worth repeating when it fails; default: all. If there were none of these, its last lines of any kind. */
  keeps?: (line: string) => boolean
}

/** Starts a program that runs until it is stopped. Its output is read, and repeated only if it fails. */
export function startChild(name: string, binary: string, args: string[], options: ChildOptions): Child {
  const { env, graceMs = defaultGraceMs, clock = systemClock, onLine, keeps = () => true } = options
  // A group of its own: Ctrl-C in the terminal is for us, and requests under way may still finish. A wrapper script is
  // stopped together with what it has started.
  const hasGroup = process.platform !== 'win32'
  const child = spawn(binary, args, {
    env,
    detached: hasGroup,
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  })
  let kept: string[] = []
  let last: string[] = []
  for (const stream of [child.stdout, child.stderr])
    onLines(stream, (line) => {
      onLine?.(line)
      if (line.trim() === '') return
      const short = withoutTokens(line).slice(0, longestLine)
      last = [...last, short].slice(-fewLines)
      if (keeps(line)) kept = [...kept, short].slice(-linesKept)
    })
  const lastOutput = (): string => {
    const words = kept.length === 0 ? last : kept
    return words.length === 0 ? '' : ` Its last output: “${words.map(oneLine).join(' | ')}”.`
  }
  let hasEnded = false
  let isStopped = false
  const signalAll = (signal: NodeJS.Signals) => signalGroup(child, hasGroup, signal)
  // For whatever leaves no time for anything else, such as a second Ctrl-C.
  const killWithUs = () => signalAll('SIGKILL')
  process.once('exit', killWithUs)
  const endWatch = hasGroup && child.pid !== undefined ? watchOver(child.pid) : async () => undefined
  const ended = new Promise<string>((resolve) => {
    const end = (sentence: string) => {
      hasEnded = true
      process.removeListener('exit', killWithUs)
      endWatch().then(() => resolve(sentence))
    }
    child.on('error', (error) => {
      if (child.pid === undefined) end(`${name} cannot be started: ${startError(error)}`)
    })
    // `close` comes after the last output, `exit` may come before it.
    child.once('close', (code, signal) => {
      // What it started may have closed its outputs and ignore SIGTERM.
      if (hasGroup) killWithUs()
      end(`${name} has ended (${exitOf(code, signal)}).${lastOutput()}`)
    })
  })
  const lost = ended.then((sentence) => (isStopped ? new Promise<never>(() => undefined) : sentence))
  return {
    pid: child.pid,
    ended,
    lost,
    get hasEnded() {
      return hasEnded
    },
    lastOutput,
    async stop() {
      isStopped = true
      if (!hasEnded) signalAll('SIGTERM')
      const cancel = hasEnded ? () => undefined : clock.after(graceMs, killWithUs)
      await ended
      cancel()
    },
  }
}

/** Operators paste errors into reports: nothing that looks like a key or a signed token is repeated. */
const withoutTokens = (line: string): string =>
  line.replace(/\b(eyJ[\w-]{10,}[\w.-]*|(atr|sk|hf)[_-][\w-]{16,})/g, '<secret>')

function signalGroup(child: ChildProcess, hasGroup: boolean, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return
  try {
    process.kill(hasGroup ? -child.pid : child.pid, signal)
  } catch {
    // It has just ended.
  }
}

const exitOf = (code: number | null, signal: NodeJS.Signals | null): string =>
  signal === null ? `exit code ${code}` : `signal ${signal}`

const startError = ({ code, message }: NodeJS.ErrnoException): string =>
  code === 'ENOENT'
    ? 'there is no such file.'
    : code === 'EACCES'
      ? 'the file may not be executed.'
      : oneLine(message)

/** Longer lines are cut: a program that never ends its line must not fill our memory. */
const maxLineChars = 16_384

/** Calls `onLine` for each whole line, however the stream cuts it into pieces. */
function onLines(stream: Readable, onLine: (line: string) => void): void {
  let rest = ''
  stream.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split(/\r?\n/)
    rest = (lines.pop() ?? '').slice(-maxLineChars)
    for (const line of lines) onLine(line.slice(0, maxLineChars))
  })
  stream.on('end', () => rest !== '' && onLine(rest))
  stream.on('error', () => undefined) // The end of the process says what there is to say.
}

/**
 * Kills a process group when this process ends, however it ends: nobody can react to SIGKILL or to a lack of memory, but the
 * end of a pipe is noticed by whoever reads it. Returns what ends the watch. On Windows, Node lets children end with us.
 */
function watchOver(group: number): () => Promise<void> {
  const watcher = spawn('/bin/sh', ['-c', 'read -r nothing; kill -KILL "-$1"', 'sh', String(group)], {
    detached: true, // Ctrl-C in the terminal is not for it.
    stdio: ['pipe', 'ignore', 'ignore'],
    env: {},
  })
  watcher.stdin.on('error', () => undefined)
  const ended = new Promise<void>((resolve) => {
    watcher.once('exit', () => resolve())
    watcher.once('error', () => resolve()) // Without a shell, only an end that we notice ends the group.
  })
  return () => {
    watcher.kill('SIGKILL')
    return ended
  }
}

/** The environment for programs of others, who have no business with our keys. */
export const stripAtriumVars = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !/^ATRIUM_/i.test(name)))
