import type { MachineFacts } from '../harness/machine.ts'
import type { Figures } from '../harness/measure.ts'
import type { BenchOptions } from '../options.ts'
import type { EventsResult } from '../suites/events.ts'
import { type Growth, type MemoryResult, type MemorySample, maxGrowth } from '../suites/memory.ts'
import type { RequestsResult } from '../suites/requests.ts'

const maxCpuToFloor = 2.5
const minThroughputToNaive = 3

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

- CPU, Atrium ÷ floor: **${cpuToFloor.toFixed(2)}** (target ≤ ${maxCpuToFloor}: ${verdict(cpuToFloor <= maxCpuToFloor)})
- Throughput, Atrium ÷ naive: **${throughputToNaive.toFixed(2)}** (target ≥ ${minThroughputToNaive}: ${verdict(throughputToNaive >= minThroughputToNaive)});
  ÷ naive with one insert per request: **${throughputToOneInsert.toFixed(2)}**
`,
  )
  return `## Events: 10 per request, acknowledged when durable\n\n${parts.join('\n')}`
}

export const verdict = (isMet: boolean): string => (isMet ? 'met' : 'missed')

export function renderRequests(name: RequestsResult['name'], results: RequestsResult[]): string {
  const titles = { join: 'Join: a different person for every request', discover: 'Discover' }
  const rows = results.flatMap(({ engine, targets }) =>
    targets.map((target) => [engineTitles[engine], target.name, ...cells(target.figures)]),
  )
  return `## ${titles[name]}\n\n${table(['engine', 'server', ...columns], rows)}\n`
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
- Used heap after a garbage collection: ${inUse.map(sizeOf).join(', ')}, ${inUseGrowth(inUse)}. This is what
  would grow in case of a leak; in between, the used heap varies with garbage that has not been collected yet.
`
}

const mib = (bytes: number) => bytes / 2 ** 20
const percent = (share: number) => `${(share * 100).toFixed(1)} %`
const flatness = (share: number, isFlat: boolean) =>
  `**${percent(share)}** (flat means ≤ ${percent(maxGrowth)}: ${isFlat ? 'flat' : 'not flat'})`

const growth = ({ bytesPerRequest, share, isFlat }: Growth): string =>
  `${bytesPerRequest.toFixed(1)} bytes per request over the second half, ${flatness(share, isFlat)}`

const sizeOf = ({ requests, heapUsedBytes }: MemorySample): string =>
  `${mib(heapUsedBytes).toFixed(1)} MiB after ${requests} requests`

function inUseGrowth([early, late]: MemoryResult['inUse']): string {
  const share = late.heapUsedBytes / early.heapUsedBytes - 1
  return flatness(share, share <= maxGrowth)
}

/** Above this, latency says more about the other programs than about the servers. */
const maxQuietShare = 0.1

export function othersSentence(share: number): string {
  const used = `Other programs used ${(share * 100).toFixed(0)} % of the machine in the meantime`
  return share <= maxQuietShare
    ? `${used}: it was quiet.`
    : `${used}: **it was not quiet, so trust the CPU columns only** and run it again.`
}

const before = `- **before** is the same program from an earlier checkout, in the same run.
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
at most ${seconds} s each, after a warm-up round.

## How to read this

- **Atrium** is the real server process with everything on: sessions and their signed tokens, rate limits, validation,
  metrics. Each participant stays below the documented limits; a single response other than 200 fails the run.
- **floor** is a bare \`node:http\` server on the same store with the same group commit, without any of that. Atrium's CPU
  above it is the price of the features.
- **naive** is how such a server is usually written: Express, one transaction per request (find the session, insert event by event,
  update the session, commit); **naive, one insert** writes the events of a request with one statement.
  On both engines every server acknowledges only after the commit has reached the disk.
- Atrium's lead over naive depends on the disk: naive waits for it once per request, Atrium once per group of requests. Here the disk confirms a write within ${machine.syncMs.toFixed(2)} ms; many disks take 1 to 10 ms, and then the lead grows.
${beforeFolder ? before : ''}- The servers take turns within one run, so that changes on the machine affect all of them alike. CPU is the user and
  system time of the server process with all its threads; DB CPU is that of PostgreSQL and Redis. Both depend little on
  other load; requests per second and latency depend on it a lot.
- ${othersSentence(othersShare)}

${sections.join('\n')}`
}
