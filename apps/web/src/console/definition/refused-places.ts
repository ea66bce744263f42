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
