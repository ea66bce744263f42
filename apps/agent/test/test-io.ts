import { Readable } from 'node:stream'
import type { Io } from '../src/cli/io.ts'

export interface TestIo {
  io: Io
  out(): string
  err(): string
  /** As Ctrl-C does. */
  stop(): void
}

/** `answers` is what the operator types; it makes it a terminal. */
export function createTestIo({
  env = { HOME: '/nonexistent' },
  answers,
}: {
  env?: NodeJS.ProcessEnv
  answers?: string
} = {}): TestIo {
  const written = { out: '', err: '' }
  const stop = new AbortController()
  const collect = (name: 'out' | 'err') => ({
    write(text: string) {
      written[name] += text
    },
  })
  return {
    io: {
      stdout: collect('out'),
      stderr: collect('err'),
      env,
      signal: stop.signal,
      isTerminal: answers !== undefined,
      ...(answers !== undefined && { stdin: Readable.from([answers]) }),
    },
    out: () => written.out,
    err: () => written.err,
    stop: () => stop.abort(new Error('stopped by the test')),
  }
}
