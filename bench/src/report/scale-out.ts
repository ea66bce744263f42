import type { Rates } from '../suites/scale-out/gauges.ts'
import {
  addedRateOf,
  constantsOf,
  podCoresIn,
  rateOf,
  type ScaleOutResult,
  type SizeFigures,
  sumOf,
} from '../suites/scale-out/model.ts'
import { renderConstants, renderNeeds } from './capacity.ts'
import { type Finding, findingLines } from './finding.ts'
import type { Section } from './section.ts'
import { table } from './table.ts'

const maxUnevenness = 0.15
const mebibytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(0)

/** All figures in `docs/capacity.md`. */
export function renderScaleOut(result: ScaleOutResult): Section {
  const constants = constantsOf(result)
  const parts = [renderGame(result), renderIdle(result), renderConstants(constants), renderNeeds(constants)]
  return { text: parts.join('\n'), findings: evenness(result) }
}

function renderGame(result: ScaleOutResult): string {
  const { windowSeconds, growing, crowded } = result
  const sizes = [...growing, crowded]
  const rows = sizes.map((size) => {
    const each = (rate: number, digits = 1) => ((rate * 60) / size.participants).toFixed(digits)
    return [
      ...nameOf(size),
      ...[pickRouter, pickPostgres].map((pick) => each(rateOf(size, pick) * 1000)),
      each(rateOf(size, pickRedis) * 1000, 2),
      ...[pickCommands, pickCommits].map((pick) => each(rateOf(size, pick))),
      each(size.acknowledged / windowSeconds),
      ...[size.p50Ms, size.p99Ms].map((ms) => ms.toFixed(1)),
      `${mebibytes(Math.min(...size.playingRssBytes))}–${mebibytes(Math.max(...size.playingRssBytes))}`,
    ]
  })
  const head = [
    'pods',
    'people',
    'router CPU ms',
    'PostgreSQL CPU ms',
    'Redis CPU ms',
    'Redis commands',
    'commits',
  ]
  return `### Everyone plays, per participant and minute

${renderPods(result)}

${table([...head, 'actions', 'ack p50 ms', 'ack p99 ms', 'MiB per pod'], rows)}

- ${windowSeconds} s of each cluster, in turns. ${sumOf(sizes.map(({ refused }) => refused))} actions were refused.
`
}

const nameOf = ({ pods, participants }: SizeFigures): string[] => [String(pods), String(participants)]

/** In total, and without the fixed cost of the pods. */
function renderPods(result: ScaleOutResult): string {
  const { growing, crowded } = result
  const [first] = growing
  const rows = [...growing, crowded].map((size) => {
    const toFirst = (each: typeof inAll) => (first ? (each(size) / each(first)).toFixed(2) : '')
    const byRound = size.rounds.map((rates) => added({ ...size, rounds: [rates] }))
    return [
      ...nameOf(size),
      inAll(size).toFixed(1),
      toFirst(inAll),
      added(size).toFixed(1),
      toFirst(added),
      `${Math.min(...byRound).toFixed(1)}–${Math.max(...byRound).toFixed(1)}`,
    ]
  })
  const head = ['pods', 'people', 'pods CPU ms', '÷ first', 'above idle', '÷ first', 'above idle, by round']
  return `${table(head, rows)}

${findingLines(evenness(result))}
- If the rounds of one cluster differ more than the clusters do, these two say nothing.
- The last row has the people of the row above it on one pod: a busier pod needs less for each of them.`
}

const pickRouter = ({ routerCores }: Rates): number => routerCores
const pickPostgres = ({ postgresCores }: Rates): number => postgresCores
const pickRedis = ({ redisCores }: Rates): number => redisCores
const pickCommands = ({ redisCommands }: Rates): number => redisCommands
const pickCommits = ({ commits }: Rates): number => commits

/** Milliseconds of the pods per participant and minute. */
const inAll = (size: SizeFigures) => (rateOf(size, podCoresIn) * 60_000) / size.participants
const added = (size: SizeFigures) => (addedRateOf(size, podCoresIn) * 60_000) / size.participants

/** Whether a participant costs the same on more pods with the same number of people on each. */
function evenness({ growing }: ScaleOutResult): Finding[] {
  const unevenness = (values: number[]) => Math.max(...values) / Math.min(...values)
  return [
    { what: 'CPU of 1, 2 and 4 pods, highest ÷ lowest, in total', value: unevenness(growing.map(inAll)) },
    { what: 'CPU of 1, 2 and 4 pods, highest ÷ lowest, above idle', value: unevenness(growing.map(added)) },
  ].map((finding) => ({ ...finding, most: 1 + maxUnevenness }))
}

function renderIdle({ growing }: ScaleOutResult): string {
  const rows = growing.map(({ pods, idle, idleRssBytes }) => [
    String(pods),
    ((podCoresIn(idle) / pods) * 100).toFixed(2),
    ...[pickRouter, pickPostgres, pickRedis].map((pick) => (pick(idle) * 100).toFixed(2)),
    ...[pickCommands, pickCommits].map((pick) => pick(idle).toFixed(1)),
    mebibytes(Math.max(...idleRssBytes)),
  ])
  const head = ['pods', 'CPU % per pod', 'router CPU %', 'PostgreSQL CPU %', 'Redis CPU %']
  return `### Idle, per second

${table([...head, 'Redis commands/s', 'commits/s', 'MiB per pod'], rows)}
`
}
