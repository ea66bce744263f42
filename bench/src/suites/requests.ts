import { limits, participantRoutes } from '@atrium/contract'
import { type EngineName, startEngine } from '../harness/engines.ts'
import { type Figures, figuresOf, type Round } from '../harness/measure.ts'
import { type LoadOrder, startLoad } from '../load/http-load.ts'
import type { BenchOptions } from '../options.ts'
import { type Atrium, startAtrium } from '../targets/atrium.ts'

export interface RequestsResult {
  engine: EngineName
  name: 'join' | 'discover'
  /** Atrium, then the Atrium of another checkout if there is one. */
  targets: { name: string; figures: Figures }[]
}

/** Above any machine so far. On a faster one the round ends early, which does not affect the rate. */
const maxJoinsPerSecond = 500

/** Every join is by a different person; their tokens are created before the clock starts. */
export const benchJoin = (engine: EngineName, options: BenchOptions): Promise<RequestsResult> =>
  bench(engine, 'join', options, async (atrium) => {
    const perRound = Math.ceil(options.seconds * maxJoinsPerSecond)
    const lanes = await atrium.people(perRound * (options.rounds + 1))
    return { ...participantRoutes.joinV4, lanes, maxRequests: perRound, body: atrium.joinBody }
  })

export const benchDiscover = (engine: EngineName, options: BenchOptions): Promise<RequestsResult> =>
  bench(engine, 'discover', options, async (atrium) => {
    const lanes = await atrium.sessions(options.sessions)
    const allowed = lanes.length * limits.requestsPerWindow.discover
    return {
      ...participantRoutes.discoverV4,
      lanes,
      maxRequests: Math.floor(allowed / (options.rounds + 1)),
    }
  })

type Requests = Pick<LoadOrder, 'method' | 'path' | 'lanes' | 'maxRequests'> & { body?: string }

interface Target {
  atrium: Atrium
  requests: Requests
  rounds: Round[]
  firstLane: number
}

async function bench(
  engineName: EngineName,
  name: RequestsResult['name'],
  options: BenchOptions,
  prepare: (atrium: Atrium) => Promise<Requests>,
): Promise<RequestsResult> {
  const engine = await startEngine(engineName)
  const load = await startLoad()
  const stops: (() => Promise<unknown>)[] = [engine.stop, load.stop]
  try {
    const targets: Target[] = []
    const { beforeFolder: checkout } = options
    for (const each of [options, ...(checkout ? [{ checkout }] : [])]) {
      const atrium = await startAtrium(engine, load, each)
      stops.push(atrium.stop)
      targets.push({ atrium, requests: await prepare(atrium), rounds: [], firstLane: 0 })
    }
    for (let round = 0; round <= options.rounds; round++)
      for (const target of targets) {
        const outcome = await load.measure(orderOf(target, options), target.atrium)
        target.firstLane += outcome.requests
        if (round > 0) target.rounds.push(outcome)
      }
    return {
      engine: engineName,
      name,
      targets: targets.map(({ atrium, rounds }) => ({ name: atrium.name, figures: figuresOf(rounds) })),
    }
  } finally {
    for (const stop of stops.reverse()) await stop()
  }
}

const orderOf = ({ atrium, requests, firstLane }: Target, options: BenchOptions): LoadOrder => ({
  ...requests,
  address: atrium.address,
  firstLane,
  clients: options.clients,
  maxMs: options.seconds * 1000,
  collect: false,
})
