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
- Every route of an experiment that answers with something other than a file, one request after the other, over HTTP. A
  tenth of the requests were at least as fast as the time given. CPU is that of the server and its database, on average. *Overview* is the experiment with its definition. People have up to
  100 events each, all of the past hour.
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
        ...[small.quietMs, large.quietMs, large.quietMs / small.quietMs].map((value) => value.toFixed(2)),
        ...[small.cpuMs, large.cpuMs].map((value) => value.toFixed(2)),
      ]
    }),
  )
  const head = [
    engineTitles[engine],
    ...[`${few} ms`, `${many} ms`, 'ratio', `${few} CPU ms`, `${many} CPU ms`],
  ]
  const findings = questionNames.map((question): Finding => {
    const [small, large] = [figureOf(of('Atrium', few), question), figureOf(of('Atrium', many), question)]
    return {
      what: `${engineTitles[engine]}: time of ${question}, ${many} ÷ ${few} events`,
      value: large.quietMs / small.quietMs,
      most: maxRatio,
    }
  })
  const text = `${table(head, rows)}

${findingLines(findings)}
`
  return { text, findings }
}

const figureOf = (target: ConsoleTarget | undefined, question: string) =>
  target?.figures.find((figure) => figure.question === question) ?? { quietMs: Number.NaN, cpuMs: Number.NaN }
