import { type Growth, type MemoryResult, type MemorySample, maxGrowth } from '../suites/memory.ts'
import { type Finding, findingLine } from './finding.ts'
import type { Section } from './section.ts'

export function renderMemory({ samples, inUse, rss }: MemoryResult): Section {
  const most = Math.max(...samples.map(({ rssBytes }) => rssBytes))
  const rows = samples.map(({ requests, rssBytes, heapUsedBytes }) => {
    const bar = '█'.repeat(Math.round((rssBytes / most) * 40))
    const numbers = `${mib(rssBytes).toFixed(0).padStart(5)} ${mib(heapUsedBytes).toFixed(0).padStart(5)}`
    return `${String(requests).padStart(8)} ${numbers}  ${bar}`
  })
  const [early, late] = inUse
  const resident = growth('Growth of RSS over the second half', rss.share)
  const heap = growth('Growth of the used heap', late.heapUsedBytes / early.heapUsedBytes - 1)
  const text = `## Memory: SQLite, 2 events per request

\`\`\`text
requests   RSS  heap  MiB (bar: RSS)
${rows.join('\n')}
\`\`\`

${findingLine(resident, `${bytesPerRequest(rss)} per request`)}
${findingLine(heap, `${sizeOf(early)}, ${sizeOf(late)}`)}
- The used heap, after a garbage collection, is what would grow in case of a leak; in between, it varies with garbage that
  has not been collected yet.
`
  return { text, findings: [resident, heap] }
}

const growth = (what: string, share: number): Finding => ({
  what,
  value: share * 100,
  digits: 1,
  unit: '%',
  most: maxGrowth * 100,
})

const mib = (bytes: number) => bytes / 2 ** 20

const bytesPerRequest = (rss: Growth): string => `${rss.bytesPerRequest.toFixed(1)} bytes`

const sizeOf = ({ requests, heapUsedBytes }: MemorySample): string =>
  `${mib(heapUsedBytes).toFixed(1)} MiB after ${requests} requests`
