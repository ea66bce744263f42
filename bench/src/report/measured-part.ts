import type { MachineFacts } from '../harness/machine.ts'
import { othersSentence } from './report.ts'

const [beginning, end] = ['<!-- measured -->\n', '<!-- end of measured -->\n']

/** A page with its measured part replaced; the rest is written by hand. */
export function renderMeasuredPart(
  page: string,
  args: string[],
  machine: MachineFacts,
  othersShare: number,
  section: string,
): string {
  const [before, rest] = page.split(beginning)
  const after = rest?.split(end)[1]
  if (before === undefined || after === undefined)
    throw new Error('the page does not say where the figures go')
  return `${before}${beginning}
Written by \`npm run bench -- ${args.join(' ')}\` on ${new Date().toISOString().slice(0, 10)}. Do not edit this part; run it again.
Machine: ${machine.cores} cores (${machine.processor}), ${machine.memoryGib} GiB, Node ${machine.node}, PostgreSQL ${machine.postgres}, Redis ${machine.redis},
shared by servers, databases and clients. A write reaches the disk in ${machine.syncMs.toFixed(2)} ms.
${othersSentence(othersShare)}

${section}
${end}${after}`
}
