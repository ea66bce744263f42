import type { CheckReport } from '@atrium/model-checks'
import { formatTable } from '../cli/table.ts'

/** For people: one row for each check, then one sentence that sums it up. */
export function formatReport(report: CheckReport, columns: number | undefined): string {
  const rows: string[][] = []
  for (const { name, ok, message, warning } of report.checks) {
    rows.push([ok ? 'ok' : 'FAILED', name, message])
    if (warning !== undefined) rows.push(['warning', '', warning])
  }
  for (const name of report.notRun) rows.push(['not run', name, 'depends on a check that failed'])
  for (const { name, ok, message } of report.further) rows.push([ok ? 'ok' : 'warning', name, message])
  return `${formatTable(rows, columns)}\n\n${summaryOf(report)}\n`
}

function summaryOf({ ok, checks, further, notRun }: CheckReport): string {
  const failed = checks.filter((check) => !check.ok).map(({ name }) => name)
  if (!ok) {
    const rest = notRun.length === 0 ? '' : ` ${notRun.join(', ')} could not be checked.`
    return `The server does not meet the contract: ${failed.join(', ')} failed.${rest}`
  }
  const warnings = [
    ...checks.flatMap(({ warning }) => warning ?? []),
    ...further.filter((check) => !check.ok),
  ]
  if (warnings.length === 0) return 'The server meets the contract.'
  const count = warnings.length === 1 ? 'is 1 warning' : `are ${warnings.length} warnings`
  return `The server passes the four checks. There ${count}; see above.`
}
