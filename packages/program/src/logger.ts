import { type Logger, pino } from 'pino'
import { logText } from './log-text.ts'

export type { Logger }

/**
 * Logs to standard error, since standard output is for the listening line: as text on a terminal, otherwise as JSON.
 * Each line passes through `hide` first, which removes what no log may contain, because others write the messages of
 * errors.
 */
export function createLogger(
  level: string,
  base: Record<string, string>,
  hide = (line: string) => line,
): Logger {
  const stderr = pino.destination(2)
  const terminal = { write: (line: string) => stderr.write(logText(line)) }
  return pino(
    { level, base, serializers: { err: errorForLog }, hooks: { streamWrite: hide } },
    process.stderr.isTTY ? terminal : stderr,
  )
}

/**
 * The part of an error that is logged. Libraries attach more than logs may contain: ioredis the command with its
 * arguments (the password of AUTH, a session in a key), PostgreSQL the row that failed.
 */
export function errorForLog(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error }
  const { code, cause } = error as Error & { code?: unknown }
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    ...(typeof code === 'string' ? { code } : {}),
    ...(cause === undefined ? {} : { cause: errorForLog(cause) }),
  }
}
