import { type ExperimentDefinition, studyOf } from '@atrium/contract'
import { checkOnSaving, oversizeIssues, type RowsByTableId } from '@atrium/definition-checks'
import { validationFailed } from '../../kernel/app-error.ts'
import type { CheckedDefinition } from '../../ports/heavy-work.ts'

/** Returns a definition, as it was written and as a study, or throws the paths where it is not valid. Runs off the event loop. */
export function parseDefinition(
  body: unknown,
  rows?: RowsByTableId,
): CheckedDefinition & { study: ExperimentDefinition } {
  const checked = checkOnSaving(body, rows)
  if ('issues' in checked) throw validationFailed(checked.issues)
  return { ...checked, study: studyOf(checked.definition) }
}

/** Checks that are cheap for any input, and come before a definition is passed on. */
export function refuseOversized(body: unknown): void {
  const issues = oversizeIssues(body)
  if (issues.length > 0) throw validationFailed(issues)
}
