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

/** Keeps the first of each level, and none twice. */
export function createFindings() {
  const found: Findings = { errors: [], warnings: [] }
  const seen = new Set<string>()
  function add(level: keyof Findings, path: string, message: string): void {
    const key = `${path} ${message}`
    if (found[level].length >= maxFindings || seen.has(key)) return
    seen.add(key)
    found[level].push(finding(path, message))
  }
  return {
    found,
    addError: (path: string, message: string) => add('errors', path, message),
    addWarning: (path: string, message: string) => add('warnings', path, message),
    /** Then nothing that could still be found matters: a definition with errors is refused. */
    isFull: () => found.errors.length >= maxFindings,
  }
}
