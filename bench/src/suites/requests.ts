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
    const { method, path, lanes, maxRequests, body } = await prepare(atrium)
    const rounds: Round[] = []
    let firstLane = 0
    for (let round = 0; round <= options.rounds; round++) {
      const order: LoadOrder = {
        address: atrium.address,
        method,
        path,
        lanes,
        maxRequests,
        firstLane,
        clients: options.clients,
        maxMs: options.seconds * 1000,
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
