import type { ValidationIssue } from '@atrium/contract'
import { CallFailed } from '../../api/call.ts'

/** What is wrong with a definition that the platform refused; empty when it refused something else. */
export function refusedPlaces(error: Error): ValidationIssue[] {
  const issues = error instanceof CallFailed ? error.details.issues : undefined
  return Array.isArray(issues) ? issues.filter(isIssue) : []
}

const isIssue = (value: unknown): value is ValidationIssue =>
  typeof value === 'object' &&
  value !== null &&
  'path' in value &&
  typeof value.path === 'string' &&
  'message' in value &&
  typeof value.message === 'string'

/** The server’s findings continue a sentence that begins with the name of a field; here they stand on their own. */
export function asSentence(finding: string): string {
  const text = finding.trim()
  // Only a word: an address or the name of a setting is written as it is.
  const begun = /^\p{Ll}+(?:[\s,;.]|$)/u.test(text)
    ? text.charAt(0).toLocaleUpperCase() + text.slice(1)
    : text
  return /[.!?]$/.test(begun) ? begun : `${begun}.`
}
