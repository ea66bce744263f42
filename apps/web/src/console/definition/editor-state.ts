import type { ValidationIssue } from '@atrium/contract'
import { CallFailed } from '../../api/call.ts'
import type { Finding } from './check-text.ts'

/** What the platform said to the text that was saved last, or tried to be. */
export interface PlatformVerdict {
  level: Finding['level']
  issues: ValidationIssue[]
}

/** The places that the platform refused, when it is that what it refused. */
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
