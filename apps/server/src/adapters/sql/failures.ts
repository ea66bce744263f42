import { AppError } from '../../kernel/app-error.ts'

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '')
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

export const isUniqueViolation = (error: unknown): boolean =>
  codeOf(error) === '23505' || codeOf(error).startsWith('SQLITE_CONSTRAINT')

/** A table has changed since the statement was prepared: a newer version has migrated. */
export const isPlanOutdated = (error: unknown): boolean =>
  codeOf(error) === '0A000' && /cached plan/.test(messageOf(error))

/** Deadlocks, serialisation failures and outdated plans: nothing was written, and the same call may succeed now. */
export const isTransient = (error: unknown): boolean =>
  /^(40P01|40001)$/.test(codeOf(error)) || isPlanOutdated(error)

/**
 * PostgreSQL: connection (08), read-only (25006), resources (53), shutdown (57), system (58); SQLite: the disk or a lock;
 * files: the disk.
 */
const unavailableCodes =
  /^(08|53|57|58)[0-9A-Z]{3}$|^25006$|^SQLITE_(BUSY|FULL|IOERR|CANTOPEN|READONLY)|^E(CONN|PIPE|TIMEDOUT|HOST|AI_AGAIN|NOSPC|DQUOT|FBIG|ROFS|IO$|ACCES|NOENT)/
const unavailableMessages =
  /terminat|timeout exceeded|Query read timeout|not queryable|Connection ended|Client was closed|database system is/i

/** The store cannot be reached or cannot write: 503, and the client retries (R9). */
export const isUnavailable = (error: unknown): boolean =>
  unavailableCodes.test(codeOf(error)) || unavailableMessages.test(messageOf(error))

/** No answer at all, as opposed to a refusal: only then would asking again cost time. */
export const isSilence = (error: unknown): boolean =>
  /Query read timeout|due to connection timeout/.test(messageOf(error))

/** No space left, or our quota is used up. */
export const isFull = (error: unknown): boolean =>
  /^(53100|SQLITE_FULL|ENOSPC|EDQUOT|EFBIG)$/.test(codeOf(error))

/** The disk or the database can be read but not changed: an operator made it so, or a fail-over is under way. */
const isReadOnly = (error: unknown): boolean => /^(25006|SQLITE_READONLY\w*|EROFS)$/.test(codeOf(error))

function refusalOf(error: unknown): AppError {
  if (isFull(error))
    return new AppError('UNAVAILABLE', { reason: 'disk_full' }, 'The disk of the database is full.')
  if (isReadOnly(error))
    return new AppError(
      'UNAVAILABLE',
      { reason: 'read_only' },
      'The database accepts no changes at the moment.',
    )
  return new AppError('UNAVAILABLE')
}

export function asRefusal(error: unknown): unknown {
  if (!isUnavailable(error)) return error
  const refusal = refusalOf(error)
  refusal.cause = error
  return refusal
}
