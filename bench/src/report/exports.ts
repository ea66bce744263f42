import { engineTitles } from '../harness/engines.ts'
import { type ExportsResult, heapLimits } from '../suites/exports.ts'
import { type Finding, findingLines } from './finding.ts'
import type { Section } from './section.ts'
import { table } from './table.ts'

const maxRatio = 3
/** 300 MB in MiB. */
const maxMemory = 286

export function renderExports(results: ExportsResult[]): Section {
  const parts = results.map(renderEngine)
  const text = `## Exports

${parts.map(({ text }) => text).join('\n')}
- Over HTTP, from the first byte asked for to the last one received, beside the database's own program that writes the same
  events on the same machine. Each is the best of its rounds. People have 100 events each.
- CPU is that of the server or program and its database, which says more than the time where others use the machine.
- Growth is what the server's resident set grew by while all exports ran, one after the other. V8 leaves garbage for as long as
  the machine has memory, so the need shows in a second server, started with \`NODE_OPTIONS="${heapLimits}"\`:
  its whole resident set while it wrote each file once. The first server ran without limits.
`
  return { text, findings: parts.flatMap(({ findings }) => findings) }
}

function renderEngine({ engine, events, figures, memory, limitedMemory }: ExportsResult): Section {
  const [own, ...ours] = figures
  const ownSeconds = own?.seconds ?? Number.NaN
  const head = [engineTitles[engine], 'seconds', '÷ own program', 'CPU s', 'CPU ÷ own', 'MiB', 'events/s']
  const ownCpu = own?.cpuSeconds ?? Number.NaN
  const lines = figures.map(({ name, seconds, cpuSeconds, mebibytes }) => [
    name,
    seconds.toFixed(2),
    (seconds / ownSeconds).toFixed(2),
    cpuSeconds.toFixed(2),
    (cpuSeconds / ownCpu).toFixed(2),
    mebibytes.toFixed(0),
    (events / seconds).toFixed(0),
  ])
  const findings: Finding[] = [
    ...ours.map(({ name, seconds }) => ({
      what: `${engineTitles[engine]}: time of ${name} ÷ ${own?.name}`,
      value: seconds / ownSeconds,
      most: maxRatio,
    })),
    {
      what: `${engineTitles[engine]}: growth of a server without limits`,
      value: memory.peak - memory.before,
      unit: 'MiB',
    },
    {
      what: `${engineTitles[engine]}: whole server with a limited heap, at most`,
      value: limitedMemory.peak,
      unit: 'MiB',
      most: maxMemory,
    },
  ]
  return { text: `${table(head, lines)}\n\n${findingLines(findings)}\n`, findings }
}
