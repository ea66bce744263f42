import { engineTitles } from '../harness/engines.ts'
import { type ConsoleResult, type ConsoleTarget, questionNames } from '../suites/console.ts'
import { type Finding, findingLines } from './finding.ts'
import type { Section } from './section.ts'
import { table } from './table.ts'

const maxRatio = 1.5

export function renderConsole(results: ConsoleResult[]): Section {
  const parts = results.map(renderEngine)
  const text = `## The console with few and with many events

${parts.map(({ text }) => text).join('\n')}
- One request after the other, over HTTP. CPU is that of the server and its database. *Overview* is the experiment with its
  definition. People have 100 events each, all of the past hour.
- *Counted* is how long a server took, once it was ready, to count events that the previous release had stored. Afterwards
  PostgreSQL's tables are vacuumed, as it does by itself within a minute or so; until then, pages are slower.
`
  return { text, findings: parts.flatMap(({ findings }) => findings) }
}

function renderEngine({ engine, few, many, targets }: ConsoleResult): Section {
  const names = [...new Set(targets.map(({ name }) => name))]
  const of = (name: string, events: number) =>
    targets.find((target) => target.name === name && target.events === events)
  const rows = names.flatMap((name) =>
    questionNames.map((question) => {
      const [small, large] = [figureOf(of(name, few), question), figureOf(of(name, many), question)]
      return [
        `${name}, ${question}`,
        ...[small.p50Ms, large.p50Ms, large.p50Ms / small.p50Ms].map((value) => value.toFixed(2)),
        ...[small.cpuMs, large.cpuMs].map((value) => value.toFixed(2)),
      ]
    }),
  )
  const head = [
    engineTitles[engine],
    ...[`${few} p50 ms`, `${many} p50 ms`, 'ratio', `${few} CPU ms`, `${many} CPU ms`],
  ]
  const findings = questionNames.map((question): Finding => {
    const [small, large] = [figureOf(of('Atrium', few), question), figureOf(of('Atrium', many), question)]
    return {
      what: `${engineTitles[engine]}: time of ${question}, ${many} ÷ ${few} events`,
      value: large.p50Ms / small.p50Ms,
      most: maxRatio,
    }
  })
  const counted = of('Atrium', many)?.countedMs ?? Number.NaN
  const text = `${table(head, rows)}

${findingLines(findings)}
- Counted: ${many} events in ${(counted / 1_000).toFixed(1)} s.
`
  return { text, findings }
}

const figureOf = (target: ConsoleTarget | undefined, question: string) =>
  target?.figures.find((figure) => figure.question === question) ?? { p50Ms: Number.NaN, cpuMs: Number.NaN }
