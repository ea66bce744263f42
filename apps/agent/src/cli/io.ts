import { createInterface } from 'node:readline'

/** What a command may touch of its process. Tests pass their own. */
export interface Io {
  stdout: Output
  stderr: Output
  env: NodeJS.ProcessEnv
  /** Aborts when the operator wants to stop: Ctrl-C or SIGTERM. */
  signal: AbortSignal
  /** Somebody sits in front of it: lines can be overwritten and questions asked. */
  isTerminal: boolean
  /** Where answers to questions come from; without it nobody is asked. */
  stdin?: NodeJS.ReadableStream
}

interface Output {
  write(text: string): unknown
  columns?: number
}

/** Resolves with the exit code. Throws `Misuse` for what the operator can put right. */
export type Command = (args: string[], io: Io) => Promise<number>

/** Tells the operator something that is not the result of the command. */
export const sayTo =
  ({ stderr }: Pick<Io, 'stderr'>) =>
  (text: string): void =>
    void stderr.write(`${text}\n`)

/** 128 + the number of the signal is what shells expect of a program that was stopped. */
export const exitCodes = { ok: 0, failed: 1, misused: 2, stopped: 130 } as const

/** Asks a question that is answered with y or n. Without somebody to ask, the answer is no. */
export async function askConsent(question: string, io: Io): Promise<boolean> {
  if (!io.isTerminal || io.stdin === undefined) return false
  io.stderr.write(`${question} [y/N] `)
  const lines = createInterface({ input: io.stdin })
  const stop = () => lines.close()
  io.signal.addEventListener('abort', stop, { once: true })
  const answer = await new Promise<string>((resolve) => {
    lines.once('line', resolve)
    lines.once('close', () => resolve(''))
  })
  lines.close()
  io.signal.removeEventListener('abort', stop)
  io.signal.throwIfAborted()
  return /^y(es)?$/i.test(answer.trim())
}
