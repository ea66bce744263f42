import { table } from './report.ts'
import { renderConstants, renderNeeds } from './scale-out-capacity.ts'
import type { Rates } from './scale-out-gauges.ts'
import {
  addedRateOf,
  constantsOf,
  podCoresIn,
  rateOf,
  type ScaleOutResult,
  type SizeFigures,
  sumOf,
} from './scale-out-model.ts'

const mostUneven = 0.15
const mebibytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(0)

/** Everything that `docs/capacity.md` says in numbers. */
export function renderScaleOut(result: ScaleOutResult): string {
  const constants = constantsOf(result)
  return [renderGame(result), renderIdle(result), renderConstants(constants), renderNeeds(constants)].join(
    '\n',
  )
}

function renderGame({ participants, windowSeconds, sizes }: ScaleOutResult): string {
  const each = (rate: number, digits = 1) => ((rate * 60) / participants).toFixed(digits)
  const rows = sizes.map((size) => [
    String(size.pods),
    ...[pickRouter, pickPostgres].map((pick) => each(rateOf(size, pick) * 1000)),
    each(rateOf(size, pickRedis) * 1000, 2),
    ...[pickCommands, pickCommits].map((pick) => each(rateOf(size, pick))),
    each(size.acknowledged / windowSeconds),
    ...[size.p50Ms, size.p99Ms].map((ms) => ms.toFixed(1)),
    `${mebibytes(Math.min(...size.playingRssBytes))}–${mebibytes(Math.max(...size.playingRssBytes))}`,
  ])
  const head = ['pods', 'router CPU ms', 'PostgreSQL CPU ms', 'Redis CPU ms', 'Redis commands', 'commits']
  return `### ${participants} people play, per participant and minute

${renderPods(participants, sizes)}

${table([...head, 'actions', 'ack p50 ms', 'ack p99 ms', 'MiB per pod'], rows)}

- ${windowSeconds} s of each cluster, in turns. ${sumOf(sizes.map(({ refused }) => refused))} actions were refused.
`
}

/** In all, and without the fixed cost of the pods. */
function renderPods(participants: number, sizes: readonly SizeFigures[]): string {
  const totals = sizes.map((size) => rateOf(size, podCoresIn))
  const added = sizes.map((size) => addedRateOf(size, podCoresIn))
  const eachMs = (cores = Number.NaN) => ((cores * 60_000) / participants).toFixed(1)
  const rows = sizes.map(({ pods, idle, rounds }, index) => {
    const byRound = rounds.map((rates) => podCoresIn(rates) - podCoresIn(idle))
    return [
      String(pods),
      ...[eachMs(totals[index]), toFirst(totals, index)],
      ...[eachMs(added[index]), toFirst(added, index)],
      `${eachMs(Math.min(...byRound))}–${eachMs(Math.max(...byRound))}`,
    ]
  })
  const head = ['pods', 'pods CPU ms', '÷ 1 pod', 'above idle', '÷ 1 pod', 'above idle, by round']
  return `${table(head, rows)}

- CPU of the pods, most ÷ least: in all ${flatness(totals)}, above idle ${flatness(added)}. Where the rounds of one cluster are
  further apart than the clusters are, this says nothing.`
}

const pickRouter = ({ routerCores }: Rates): number => routerCores
const pickPostgres = ({ postgresCores }: Rates): number => postgresCores
const pickRedis = ({ redisCores }: Rates): number => redisCores
const pickCommands = ({ redisCommands }: Rates): number => redisCommands
const pickCommits = ({ commits }: Rates): number => commits

const toFirst = (values: readonly number[], index: number): string =>
  ((values[index] ?? Number.NaN) / (values[0] ?? Number.NaN)).toFixed(2)

function flatness(values: readonly number[]): string {
  const ratio = Math.max(...values) / Math.min(...values)
  return `**${ratio.toFixed(2)}** (flat means ≤ ${1 + mostUneven}: ${ratio <= 1 + mostUneven ? 'flat' : 'not flat'})`
}

function renderIdle({ sizes }: ScaleOutResult): string {
  const rows = sizes.map(({ pods, idle, idleRssBytes }) => [
    String(pods),
    ((podCoresIn(idle) / pods) * 100).toFixed(2),
    ...[pickRouter, pickPostgres, pickRedis].map((pick) => (pick(idle) * 100).toFixed(2)),
    ...[pickCommands, pickCommits].map((pick) => pick(idle).toFixed(1)),
    mebibytes(Math.max(...idleRssBytes)),
  ])
  const head = ['pods', 'CPU % per pod', 'router CPU %', 'PostgreSQL CPU %', 'Redis CPU %']
  return `### Nobody is there, per second

${table([...head, 'Redis commands/s', 'commits/s', 'MiB per pod'], rows)}
`
}
