import { execFile } from 'node:child_process'

export type ProgramEnd =
  | { kind: 'ended'; code: number; stdout: string; stderr: string }
  | { kind: 'missing' }
  | { kind: 'timeout' }

export type RunProgram = (file: string, args: string[], options?: RunOptions) => Promise<ProgramEnd>

interface RunOptions {
  timeoutMs?: number
  env?: NodeJS.ProcessEnv
  cwd?: string
  /** Kills the program; the caller finds out from the signal. */
  signal?: AbortSignal | undefined
  /** Only for arguments of our own. */
  shell?: boolean
}

/** nvidia-smi needs seconds on a machine with eight cards and no persistence daemon. */
const defaultTimeoutMs = 20_000
const maxOutputBytes = 4_194_304

/** Runs a program to its end and never throws: that it is missing or hangs is an answer too. */
export const runProgram: RunProgram = (file, args, { timeoutMs = defaultTimeoutMs, signal, ...more } = {}) =>
  new Promise((resolve) => {
    const options = {
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
      maxBuffer: maxOutputBytes,
      windowsHide: true,
      encoding: 'utf8',
      ...(signal && { signal }),
      ...more,
    } as const
    execFile(file, args, options, (error, stdout, stderr) => {
      if (error === null) return resolve({ kind: 'ended', code: 0, stdout, stderr })
      if (error.code === 'ENOENT' || error.code === 'EACCES') return resolve({ kind: 'missing' })
      if (error.killed === true) return resolve({ kind: 'timeout' })
      resolve({ kind: 'ended', code: typeof error.code === 'number' ? error.code : 1, stdout, stderr })
    })
  })
