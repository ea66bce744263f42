import type { Stage } from '@atrium/contract'
import { stageOf, type ValidationIssue, type WrittenDefinition } from '@atrium/contract'
import type { Moment } from './flow/check-parts.ts'

type Findings = { issues: ValidationIssue[] } | { warnings: ValidationIssue[] }

/**
 * Checks each stage as if the study were that stage alone. Of what all stages share, an error in one is an error, but a warning
 * counts only if no stage is without it: what one does not use, another may.
 */
export function checkByStage(
  written: WrittenDefinition & { stages: Stage[] },
  check: (stage: ReturnType<typeof stageOf>, moment: Moment) => Findings,
): Findings {
  const found = written.stages.map((stage, at) => {
    const { stages: _all, ...played } = stageOf(written, stage.id)
    const findings = check(played, at === 0 ? 'first' : 'later')
    const place = (issues: ValidationIssue[]) =>
      issues.map(({ path, message }) => ({ path: pathIn(stage, at, path), message }))
    return 'issues' in findings
      ? { issues: place(findings.issues), warnings: [] }
      : { issues: [], warnings: place(findings.warnings) }
  })
  const issues = distinct(found.flatMap((each) => each.issues))
  if (issues.length > 0) return { issues }
  const isEverywhere = (warning: ValidationIssue): boolean =>
    warning.path.startsWith('/stages/') ||
    found.every(({ warnings }) => warnings.some((each) => keyOf(each) === keyOf(warning)))
  return { warnings: distinct(found.flatMap(({ warnings }) => warnings)).filter(isEverywhere) }
}

const pathIn = (stage: Stage, at: number, path: string): string => {
  const [, field = ''] = path.split('/')
  return Object.hasOwn(stage, field) && field !== 'id' ? `/stages/${at}${path}` : path
}

const keyOf = ({ path, message }: ValidationIssue): string => `${path} ${message}`

const distinct = (issues: ValidationIssue[]): ValidationIssue[] => [
  ...new Map(issues.map((issue) => [keyOf(issue), issue])).values(),
]
