import type { ValidationIssue } from '@atrium/contract'

/** Errors prevent a definition from being saved; warnings do not. */
export interface Findings {
  errors: ValidationIssue[]
  warnings: ValidationIssue[]
}

export const finding = (path: string, message: string): ValidationIssue => ({ path, message })

/** A JSON pointer, escaped as in RFC 6901. */
export const pointer = (...parts: (string | number)[]): string =>
  parts.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

/** Nobody reads more, and each finding costs time. */
export const maxFindings = 100
