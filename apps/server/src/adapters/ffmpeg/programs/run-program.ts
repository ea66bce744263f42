import { type ChildProcess, spawn } from 'node:child_process'

export interface ProgramOptions {
  /** Working folder; every file is named relative to it. */
  folder: string
  /** Kills the program with everything that it started. */
  signal: AbortSignal
  /** Receives the lines of standard output, which then are not collected. */
  onLine?(line: string): void
}

export interface Ended {
  /** Null if a signal ended it. */
  code: number | null
  output: string
  /** The last lines of standard error, for logs. */
  errors: string
}

const maxOutputChars = 1_000_000
const keptErrorChars = 4_000

/**
 * Runs a program to its end. Rejects with the reason of `signal` if that was aborted, and if the program could not be
 * started. A program that writes too much is killed: a hostile file can make ffprobe describe thousands of streams.
 */
export function runProgram(
  [program = '', ...args]: readonly string[],
  env: Readonly<Record<string, string>>,
  { folder, signal, onLine }: ProgramOptions,
): Promise<Ended> {
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    // A process group of its own, so that a signal reaches everything in it.
    const child = spawn(program, args, {
      cwd: folder,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const kill = () => killGroup(child)
    signal.addEventListener('abort', kill)
    let output = ''
    let errors = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
      if (onLine) output = emitLines(output, onLine)
      if (output.length > maxOutputChars) kill()
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors = (errors + text).slice(-keptErrorChars)
    })
    child.once('error', (error) => {
      signal.removeEventListener('abort', kill)
      reject(error)
    })
    child.once('close', (code) => {
      signal.removeEventListener('abort', kill)
      if (signal.aborted) reject(signal.reason)
      else resolve({ code: isSignal(code) ? null : code, output, errors })
    })
  })
}

/** The sandbox, like a shell, tells of a signal as 128 and its number, of which there are 64. */
const isSignal = (code: number | null): boolean => code !== null && code > 128 && code <= 128 + 64

/** Returns what follows the last complete line. */
function emitLines(text: string, onLine: (line: string) => void): string {
  const lines = text.split('\n')
  const rest = lines.pop() ?? ''
  for (const line of lines) onLine(line)
  return rest
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    // It may have ended in the meantime.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
