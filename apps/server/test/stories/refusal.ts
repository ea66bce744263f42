import type { ValidationIssue } from '@atrium/contract'
import { type ApiResponse, codeOf } from '@atrium/testkit'

/** The content of a refusal, in either envelope; a success has no code. */
export function refusalOf(answer: ApiResponse) {
  const body = answer.body as { details?: unknown; error?: { details?: unknown } } | undefined
  const details = (body?.details ?? body?.error?.details ?? {}) as Record<string, unknown>
  return { status: answer.status, code: codeOf(answer), details }
}

/** The paths of the issues in a refusal. */
export function issuePathsOf(answer: ApiResponse): string[] {
  const { issues } = refusalOf(answer).details as { issues?: ValidationIssue[] }
  return (issues ?? []).map(({ path }) => path)
}
