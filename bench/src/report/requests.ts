import { engineTitles } from '../harness/engines.ts'
import type { Figures } from '../harness/measure.ts'
import type { EventsResult } from '../suites/events.ts'
import type { RequestsResult } from '../suites/requests.ts'
import { type Finding, findingLines } from './finding.ts'
import type { Section } from './section.ts'
import { table } from './table.ts'

const columns = ['requests/s', 'p50 ms', 'p99 ms', 'CPU µs/request', 'DB CPU µs/request', 'requests']

const cells = (figures: Figures): string[] => [
  figures.perSecond.toFixed(0),
  figures.p50Ms.toFixed(1),
  figures.p99Ms.toFixed(1),
  figures.cpuMicrosPerRequest.toFixed(0),
  figures.databaseCpuMicrosPerRequest.toFixed(0),
  String(figures.requests),
]

export function renderEvents(results: EventsResult[]): Section {
  const parts = results.map((result) => {
    const rows = result.targets.map(({ name, figures }) => [name, ...cells(figures)])
    return `### ${engineTitles[result.engine]}

${table(['server', ...columns], rows)}

${findingLines(eventsFindings(result))}
`
  })
  return {
    text: `## Events: 10 per request, acknowledged when durable\n\n${parts.join('\n')}`,
    findings: results.flatMap(eventsFindings),
  }
}

const eventsFindings = (result: EventsResult): Finding[] => {
  const on = engineTitles[result.engine]
  return [
    { what: `CPU, Atrium ÷ floor, ${on}`, value: result.cpuToFloor, most: 2.5 },
    { what: `Throughput, Atrium ÷ naive, ${on}`, value: result.throughputToNaive, least: 3 },
    {
      what: `Throughput, Atrium ÷ naive with one insert per request, ${on}`,
      value: result.throughputToOneInsert,
    },
  ]
}

export function renderRequests(name: RequestsResult['name'], results: RequestsResult[]): Section {
  const titles = { join: 'Join: a different person for every request', discover: 'Discover' }
  const rows = results.flatMap(({ engine, targets }) =>
    targets.map((target) => [engineTitles[engine], target.name, ...cells(target.figures)]),
  )
  const findings = results.flatMap(({ engine, targets: [atrium] }): Finding[] =>
    atrium === undefined
      ? []
      : [
          {
            what: `CPU per request, without the database, ${engineTitles[engine]}`,
            value: atrium.figures.cpuMicrosPerRequest,
            digits: 0,
            unit: 'µs',
          },
        ],
  )
  return { text: `## ${titles[name]}\n\n${table(['engine', 'server', ...columns], rows)}\n`, findings }
}
