import type { MachineFacts } from '../harness/machine.ts'
import type { Figures } from '../harness/measure.ts'
import type { BenchOptions } from '../options.ts'
import type { EventsResult } from '../suites/events.ts'
import { type Growth, type MemoryResult, type MemorySample, mostGrowth } from '../suites/memory.ts'
import type { RequestsResult } from '../suites/requests.ts'

const mostCpuToFloor = 2.5
const leastThroughputToNaive = 3

export const engineTitles = { sqlite: 'SQLite, in process', postgres: 'PostgreSQL + Redis' }
const columns = ['requests/s', 'p50 ms', 'p99 ms', 'CPU µs/request', 'DB CPU µs/request', 'requests']

const cells = (figures: Figures): string[] => [
  figures.perSecond.toFixed(0),
  figures.p50Ms.toFixed(1),
  figures.p99Ms.toFixed(1),
  figures.cpuMicrosPerRequest.toFixed(0),
  figures.databaseCpuMicrosPerRequest.toFixed(0),
  String(figures.requests),
]

/** A Markdown table that also reads well in a terminal. */
export function table(head: string[], rows: string[][]): string {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const isText = (column: number) => column === 0
  const line = (row: string[]) =>
    `| ${row.map((cell, i) => (isText(i) ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join(' | ')} |`
  const rule = `| ${widths.map((width, i) => (isText(i) ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`
  return [line(head), rule, ...rows.map(line)].join('\n')
}

export function renderEvents(results: EventsResult[]): string {
  const parts = results.map(
    ({
      engine,
      targets,
      cpuToFloor,
      throughputToNaive,
      throughputToOneInsert,
    }) => `### ${engineTitles[engine]}

${table(
  ['server', ...columns],
  targets.map(({ name, figures }) => [name, ...cells(figures)]),
)}

- CPU, Atrium ÷ floor: **${cpuToFloor.toFixed(2)}** (target ≤ ${mostCpuToFloor}: ${verdict(cpuToFloor <= mostCpuToFloor)})
- Throughput, Atrium ÷ naive: **${throughputToNaive.toFixed(2)}** (target ≥ ${leastThroughputToNaive}: ${verdict(throughputToNaive >= leastThroughputToNaive)});
  ÷ naive with one insert per request: **${throughputToOneInsert.toFixed(2)}**
`,
  )
  return `## Events: 10 per request, acknowledged when durable\n\n${parts.join('\n')}`
}

export const verdict = (isMet: boolean): string => (isMet ? 'met' : 'missed')

export function renderRequests(name: RequestsResult['name'], results: RequestsResult[]): string {
  const titles = { join: 'Join: every request another person', discover: 'Discover' }
  const rows = results.map(({ engine, figures }) => [engineTitles[engine], ...cells(figures)])
  return `## ${titles[name]}\n\n${table(['engine', ...columns], rows)}\n`
}

export function renderMemory({ samples, inUse, rss }: MemoryResult): string {
  const most = Math.max(...samples.map(({ rssBytes }) => rssBytes))
  const rows = samples.map(({ requests, rssBytes, heapUsedBytes }) => {
    const bar = '█'.repeat(Math.round((rssBytes / most) * 40))
    const numbers = `${mib(rssBytes).toFixed(0).padStart(5)} ${mib(heapUsedBytes).toFixed(0).padStart(5)}`
    return `${String(requests).padStart(8)} ${numbers}  ${bar}`
  })
  return `## Memory: SQLite, 2 events per request

\`\`\`text
requests   RSS  heap  MiB (bar: RSS)
${rows.join('\n')}
\`\`\`

- RSS: ${growth(rss)}
- Used heap after a collection of garbage: ${inUse.map(sizeOf).join(', ')}, ${inUseGrowth(inUse)}. This is what would grow
  if something were kept; in between it goes up and down with what is not cleared away yet.
`
}

const mib = (bytes: number) => bytes / 2 ** 20
const percent = (share: number) => `${(share * 100).toFixed(1)} %`
const flatness = (share: number, isFlat: boolean) =>
  `**${percent(share)}** (flat means ≤ ${percent(mostGrowth)}: ${isFlat ? 'flat' : 'not flat'})`

const growth = ({ bytesPerRequest, share, isFlat }: Growth): string =>
  `${bytesPerRequest.toFixed(1)} bytes per request over the second half, ${flatness(share, isFlat)}`

const sizeOf = ({ requests, heapUsedBytes }: MemorySample): string =>
  `${mib(heapUsedBytes).toFixed(1)} MiB after ${requests} requests`

function inUseGrowth([early, late]: MemoryResult['inUse']): string {
  const share = late.heapUsedBytes / early.heapUsedBytes - 1
  return flatness(share, share <= mostGrowth)
}

/** Above this, waiting for the processor says more about the others than about the servers. */
const quietBelow = 0.1

export function othersSentence(share: number): string {
  const used = `Other programs used ${(share * 100).toFixed(0)} % of the machine meanwhile`
  return share <= quietBelow
    ? `${used}: it was quiet.`
    : `${used}: **it was not quiet, so trust the CPU columns only** and run it again.`
}

const before = `- **before** is the same program of an earlier checkout, in the same run.
`

export function renderPage(
  args: string[],
  machine: MachineFacts,
  othersShare: number,
  { seconds, rounds, clients, sessions, beforeFolder }: BenchOptions,
  sections: string[],
): string {
  return `# Benchmarks

Written by \`npm run bench -- ${args.join(' ')}\` on ${new Date().toISOString().slice(0, 10)}. Do not edit; run it again.

Machine: ${machine.cores} cores (${machine.processor}), ${machine.memoryGib} GiB, Node ${machine.node}, PostgreSQL ${machine.postgres}, Redis ${machine.redis}.
Servers, database and load generator share it. ${clients} keep-alive clients, ${sessions} participants, ${rounds} rounds of
at most ${seconds} s each after one to warm up.

## How to read this

- **Atrium** is the real server process with everything on: sessions and their signed tokens, rate limits, validation,
  metrics. Each participant stays below the documented limits; a single answer that is not 200 fails the run.
- **floor** is a bare \`node:http\` server on the same store with the same group commit, without any of that. Atrium's CPU
  above it is the price of the features.
- **naive** is the usual way to write it: Express, one transaction per request (find the session, insert event by event,
  update the session, commit); **naive, one insert** writes the events of a request with one statement.
  On both engines every server acknowledges after the commit has reached the disk.
- How far Atrium is ahead of naive depends on the disk: naive waits for it once per request, Atrium once per group of
  requests. Here the disk confirms a write within ${machine.syncMs.toFixed(2)} ms; many take 1 to 10 ms, and then the distance grows.
${beforeFolder ? before : ''}- They take turns within one run, so that what changes on the machine meanwhile falls on all of them. CPU is user and
  system time of the server process with all its threads; DB CPU is that of PostgreSQL and Redis beside it. Both depend
  little on what else runs; requests per second and latency do.
- ${othersSentence(othersShare)}

${sections.join('\n')}`
}
