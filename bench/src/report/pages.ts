import type { MachineFacts } from '../harness/machine.ts'
import { type BenchName, benchNames } from '../options.ts'
import { figureOf, isMet, targetOf, verdict } from './finding.ts'
import type { BenchRecord } from './record.ts'
import { table } from './table.ts'

/** The pages with figures. They are written by hand except for their measured part. */
export const pages: { name: string; benches: readonly BenchName[] }[] = [
  { name: 'capacity', benches: ['scale-out'] },
  { name: 'playback', benches: ['clock', 'in-step'] },
  {
    name: 'benchmarks',
    benches: benchNames.filter((name) => !['scale-out', 'clock', 'in-step'].includes(name)),
  },
]

const [beginning, end] = ['<!-- measured -->\n', '<!-- end of measured -->\n']

/** A page with its measured part replaced. */
export function withMeasuredPart(page: string, measured: string): string {
  const [before, rest] = page.split(beginning)
  const after = rest?.split(end)[1]
  if (before === undefined || after === undefined)
    throw new Error('the page does not say where the figures go')
  return `${before}${beginning}\nDo not edit this part; run the benchmarks again.\n\n${measured}\n${end}${after}`
}

/** Each section says itself when and where it was measured, because they may be written on different days. */
export const sectionsOf = (records: BenchRecord[]): string => records.map(renderRecord).join('\n')

function renderRecord({ args, date, machine, othersShare, text }: BenchRecord): string {
  const [title = '', ...rest] = text
  return `${title}

Measured by \`npm run bench -- ${args}\` on ${date}, on ${describe(machine)} ${othersSentence(othersShare)}
${rest.join('\n')}`
}

const describe = (machine: MachineFacts): string =>
  `${machine.cores} cores (${machine.processor}) with ${machine.memoryGib} GiB,
Node ${machine.node}, PostgreSQL ${machine.postgres} and Redis ${machine.redis}. A write reaches the disk in ${machine.syncMs.toFixed(2)} ms.`

/** Above this, latency says more about the other programs than about the servers. */
const maxQuietShare = 0.1

function othersSentence(share: number): string {
  const used = `Other programs used ${(share * 100).toFixed(0)} % of the machine in the meantime`
  return share <= maxQuietShare
    ? `${used}: it was quiet.`
    : `${used}: **it was not quiet, so trust the CPU columns only** and run it again.`
}

/** All findings in one table. */
export function summaryOf(records: BenchRecord[]): string {
  const rows = records.flatMap(({ bench, date, othersShare, findings }) =>
    findings.map((finding) => [
      bench,
      finding.what,
      figureOf(finding),
      targetOf(finding) && `${targetOf(finding)}: ${verdict(isMet(finding))}`,
      date + (othersShare > maxQuietShare ? ', not quiet' : ''),
    ]),
  )
  const head = ['benchmark', 'figure', 'measured', 'target', 'on']
  return `${table(head, rows, (column) => column !== 2)}\n`
}
