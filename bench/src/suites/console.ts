import {
  agentTurnRoutes,
  allRoutes,
  experimentRoutes,
  prolificRoutes,
  type RouteSpec,
} from '@atrium/contract'
import { createApi } from '@atrium/testkit'
import { type Engine, startEngine } from '../harness/engines.ts'
import { cpuMicrosOf, cpuMicrosOfDatabases, percentile } from '../harness/measure.ts'
import type { BenchOptions } from '../options.ts'
import { type LargeStudy, startLargeStudy } from '../targets/large-study.ts'

interface Question {
  name: string
  route: RouteSpec
  query?: Record<string, string>
}

/** They contain as much as there is, so they are measured by `exports`. */
const files: readonly RouteSpec[] = [
  experimentRoutes.export,
  agentTurnRoutes.export,
  prolificRoutes.bonusFile,
]

const ofExperiment = '/api/experiments/:experimentId'
const isAboutExperiment = ({ method, path }: RouteSpec): boolean =>
  method === 'GET' && path.startsWith(ofExperiment) && !path.slice(ofExperiment.length).includes(':')

/** Everything that the pages of an experiment ask for, whichever routes that are. */
const questions: Question[] = [
  { name: 'list', route: experimentRoutes.list },
  ...allRoutes
    .filter((route) => isAboutExperiment(route) && !files.includes(route))
    .map((route) => ({ name: route.path.slice(ofExperiment.length + 1) || 'overview', route })),
  { name: 'activity, a week', route: experimentRoutes.activity, query: { minutes: '10080' } },
]
export const questionNames = questions.map(({ name }) => name)

interface ConsoleFigure {
  question: string
  /** A tenth of the requests took no longer: those that nothing else on the machine delayed. */
  quietMs: number
  /** Of the server and its database together. */
  cpuMs: number
}

export interface ConsoleTarget {
  name: string
  events: number
  figures: ConsoleFigure[]
}

export interface ConsoleResult {
  engine: Engine['name']
  few: number
  many: number
  targets: ConsoleTarget[]
}

const fewEvents = 1_000
const requestsPerRound = 20

/** What a researcher's page costs with few and with many events: the servers take turns. */
export async function benchConsole(
  engineName: Engine['name'],
  { events: many, rounds, beforeFolder }: BenchOptions,
): Promise<ConsoleResult> {
  const few = Math.min(fewEvents, many)
  const engine = await startEngine(engineName, { syncsToDisk: false })
  const studies: { name: string; events: number; study: LargeStudy }[] = []
  try {
    for (const events of [few, many]) {
      studies.push({ name: 'Atrium', events, study: await startLargeStudy(engine, events) })
      if (beforeFolder)
        studies.push({
          name: 'Atrium, before',
          events,
          study: await startLargeStudy(engine, events, beforeFolder),
        })
    }
    const targets = studies.map(({ name, events, study }) => ({
      name,
      events,
      measures: questions.map(() => ({ latenciesMs: [] as number[], cpuMicros: 0 })),
      ask: askerOf(study),
    }))
    for (let round = 0; round <= rounds; round++)
      for (const target of round % 2 === 0 ? targets : targets.toReversed())
        for (const [index, question] of questions.entries()) {
          const asked = await target.ask(question)
          const measure = target.measures[index]
          if (round === 0 || !measure) continue // Warm-up
          measure.latenciesMs.push(...asked.latenciesMs)
          measure.cpuMicros += asked.cpuMicros
        }
    return {
      engine: engineName,
      few,
      many,
      targets: targets.map(({ name, events, measures }) => ({
        name,
        events,
        figures: measures.map(({ latenciesMs, cpuMicros }, index) => ({
          question: questions[index]?.name ?? '',
          quietMs: percentile(new Float64Array(latenciesMs).sort(), 0.1),
          cpuMs: cpuMicros / 1_000 / latenciesMs.length,
        })),
      })),
    }
  } finally {
    for (const { study } of studies) await study.server.stop()
    await engine.stop()
  }
}

/** One request after the other, as one page makes them. */
function askerOf({ server, experimentId, token }: LargeStudy) {
  const api = createApi(server.http)
  return async ({ route, query }: Question) => {
    const cpuMicros = () => cpuMicrosOf(server.pid) + cpuMicrosOfDatabases()
    const before = cpuMicros()
    const latenciesMs: number[] = []
    for (let request = 0; request < requestsPerRound; request++) {
      const startedAt = performance.now()
      const response = await api.call(route, { token, params: { experimentId }, ...(query && { query }) })
      latenciesMs.push(performance.now() - startedAt)
      if (response.status !== 200) throw new Error(`${route.path} answered ${response.status}`)
    }
    return { latenciesMs, cpuMicros: cpuMicros() - before }
  }
}
