import { type Logger, pino } from 'pino'

export type { Logger }

/**
 * JSON on standard error: standard output is for the listening line. Each line passes through `hide` last, which takes out
 * what no log may hold: messages of errors are written by others.
 */
export const createLogger = (
  level: string,
  base: Record<string, string>,
  hide = (line: string) => line,
): Logger =>
  pino({ level, base, serializers: { err: errorForLog }, hooks: { streamWrite: hide } }, pino.destination(2))

/**
 * What is logged of an error. Libraries hang more on theirs than logs may hold: ioredis the command with its
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
