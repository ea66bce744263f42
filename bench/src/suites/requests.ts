import { limits, participantRoutes } from '@atrium/contract'
import { type EngineName, startEngine } from '../harness/engines.ts'
import { type Figures, figuresOf, type Round } from '../harness/measure.ts'
import { type LoadOrder, startLoad } from '../load/http-load.ts'
import type { BenchOptions } from '../options.ts'
import { type Atrium, startAtrium } from '../targets/atrium.ts'

export interface RequestsResult {
  engine: EngineName
  name: 'join' | 'discover'
  figures: Figures
}

/** Faster than any machine so far; who is faster ends the round early, which the rate does not notice. */
const joinsPerSecondAtMost = 500

/** Joins of people who are all different; their tokens are made before the clock runs. */
export const benchJoin = (engine: EngineName, options: BenchOptions): Promise<RequestsResult> =>
  bench(engine, 'join', options, async (atrium) => {
    const perRound = Math.ceil(options.seconds * joinsPerSecondAtMost)
    const lanes = await atrium.people(perRound * (options.rounds + 1))
    return { ...participantRoutes.joinV4, lanes, mostRequests: perRound, body: atrium.joinBody }
  })

export const benchDiscover = (engine: EngineName, options: BenchOptions): Promise<RequestsResult> =>
  bench(engine, 'discover', options, async (atrium) => {
    const lanes = await atrium.sessions(options.sessions)
    const allowed = lanes.length * limits.requestsPerWindow.discover
    return {
      ...participantRoutes.discoverV4,
      lanes,
      mostRequests: Math.floor(allowed / (options.rounds + 1)),
    }
  })

type Requests = Pick<LoadOrder, 'method' | 'path' | 'lanes' | 'mostRequests'> & { body?: string }

async function bench(
  engineName: EngineName,
  name: RequestsResult['name'],
  options: BenchOptions,
  prepare: (atrium: Atrium) => Promise<Requests>,
): Promise<RequestsResult> {
  const engine = await startEngine(engineName)
  const load = await startLoad()
  const atrium = await startAtrium(engine, load, options)
  try {
    const { method, path, lanes, mostRequests, body } = await prepare(atrium)
    const rounds: Round[] = []
    let firstLane = 0
    for (let round = 0; round <= options.rounds; round++) {
      const order: LoadOrder = {
        address: atrium.address,
        method,
        path,
        lanes,
        mostRequests,
        firstLane,
        clients: options.clients,
        longestMs: options.seconds * 1000,
        collect: false,
        ...(body === undefined ? {} : { body }),
      }
      const outcome = await load.measure(order, atrium)
      firstLane += outcome.requests
      if (round > 0) rounds.push(outcome)
    }
    return { engine: engineName, name, figures: figuresOf(rounds) }
  } finally {
    await atrium.stop()
    await load.stop()
    await engine.stop()
  }
}
