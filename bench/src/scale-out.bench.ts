import { setTimeout as delay } from 'node:timers/promises'
import { type Cluster, createApi, createResearcher, startCluster } from '@atrium/testkit'
import { percentile } from './measure.ts'
import type { BenchOptions } from './options.ts'
import { startBots } from './scale-out-bots.ts'
import { steadyGame } from './scale-out-game.ts'
import { type Gauges, openGauges, type Rates, ratesBetween } from './scale-out-gauges.ts'

/** A cluster of one size: what it takes when nobody is there, and when everybody plays. */
export interface SizeFigures {
  pods: number
  idle: Rates
  playing: Rates
  /** Processors of all pods in each round, to see how steady it was. */
  podCoresByRound: number[]
  /** Resident memory of each pod: before anybody came, and at the end. */
  idleRssBytes: number[]
  playingRssBytes: number[]
  acknowledged: number
  acknowledgedPerSecond: number
  refused: number
  p50Ms: number
  p99Ms: number
}

export interface ScaleOutResult {
  participants: number
  windowSeconds: number
  sizes: SizeFigures[]
}

const usualSizes = [1, 2, 4]
/** Room for everyone: it is not the limits of a pod that are measured. */
const spacious = { MAX_ROOMS_PER_POD: '100000', MAX_PARTICIPANTS_PER_POD: '100000' }

/** The same people play the same game on one, two and four pods, through the router. */
export async function benchScaleOut(options: BenchOptions, sizes = usualSizes): Promise<ScaleOutResult> {
  const figures: SizeFigures[] = []
  for (const pods of sizes) figures.push(await measureSize(pods, options))
  const { participants, seconds, rounds } = options
  return { participants, windowSeconds: seconds * rounds, sizes: figures }
}

async function measureSize(pods: number, options: BenchOptions): Promise<SizeFigures> {
  const stops: (() => Promise<unknown>)[] = []
  try {
    const { profileFolder } = options
    const profiling = profileFolder ? { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profileFolder}` } : {}
    const cluster = await startCluster({ pods, router: true, env: { ...spacious, ...profiling } })
    stops.push(cluster.stop)
    const gauges = await openGauges(cluster)
    stops.push(gauges.close)
    await delay(options.seconds * 200) // What a start leaves to be cleared away is not idleness.
    const idle = await ratesDuring(gauges, () => delay(options.seconds * 1000))
    const idleRssBytes = gauges.podRssBytes()
    return { pods, idle, idleRssBytes, ...(await measureGame(cluster, gauges, options)) }
  } finally {
    for (const stop of stops.reverse()) await stop()
  }
}

async function measureGame({ router }: Cluster, gauges: Gauges, options: BenchOptions) {
  const front = router?.http ?? ''
  const experimentId = await (await createResearcher(createApi(front))).openExperiment(steadyGame)
  const bots = startBots()
  try {
    await bots.enter(front, experimentId, options.participants)
    const roundMs = options.seconds * 1000
    await bots.play(roundMs) // Warms up.
    const begin = await gauges.read()
    const latencies: number[] = []
    const podCoresByRound: number[] = []
    let refused = 0
    for (let round = 0; round < options.rounds; round++) {
      const rates = await ratesDuring(gauges, async () => {
        const played = await bots.play(roundMs)
        latencies.push(...played.latenciesMs)
        refused += played.refused
      })
      podCoresByRound.push(sumOf(rates.podCores))
    }
    const end = await gauges.read()
    const sorted = new Float64Array(latencies).sort()
    return {
      playing: ratesBetween(begin, end),
      podCoresByRound,
      playingRssBytes: gauges.podRssBytes(),
      acknowledged: sorted.length,
      acknowledgedPerSecond: (sorted.length * 1000) / (end.at - begin.at),
      refused,
      p50Ms: percentile(sorted, 0.5),
      p99Ms: percentile(sorted, 0.99),
    }
  } finally {
    await bots.stop()
  }
}

async function ratesDuring(gauges: Gauges, act: () => Promise<unknown>): Promise<Rates> {
  const from = await gauges.read()
  await act()
  return ratesBetween(from, await gauges.read())
}

export const sumOf = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
