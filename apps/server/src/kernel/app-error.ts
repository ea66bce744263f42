import { type ErrorCode, errorCatalogue, type ValidationIssue } from '@atrium/contract'

/** A refusal that the caller learns about. Anything else that is thrown is a bug and is answered with INTERNAL. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly details: Record<string, unknown>

  constructor(code: ErrorCode, details: Record<string, unknown> = {}, message?: string) {
    super(message ?? errorCatalogue[code].sentence)
    this.name = 'AppError'
    this.code = code
    this.details = details
  }
}

/** Something we depend on cannot be reached: the same request may succeed later. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'UNAVAILABLE'

export const validationFailed = (issues: readonly ValidationIssue[]): AppError =>
  new AppError('VALIDATION_FAILED', { issues }, sentenceOf(issues))

/** What a request was refused for; throws again whatever else it is. */
export function issuesIn(error: unknown): ValidationIssue[] {
  if (error instanceof AppError && Array.isArray(error.details.issues)) return error.details.issues
  throw error
}

function sentenceOf(issues: readonly ValidationIssue[]): string {
  const [first] = issues
  if (!first) return errorCatalogue.VALIDATION_FAILED.sentence
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : ''
  return `${first.path === '' ? 'The request' : first.path}: ${first.message}${more}.`
}
