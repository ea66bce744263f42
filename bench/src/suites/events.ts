import { limits } from '@atrium/contract'
import { type Engine, startEngine } from '../harness/engines.ts'
import { type Figures, figuresOf, type Round } from '../harness/measure.ts'
import { type Load, startLoad } from '../load/http-load.ts'
import type { BenchOptions } from '../options.ts'
import { startAtriumTarget } from '../targets/atrium.ts'
import { startPeer } from '../targets/peer.ts'
import type { Target } from '../targets/target.ts'
import { eventBatch } from './event-batch.ts'

export interface EventsResult {
  engine: Engine['name']
  /** Atrium, the floor and both naive ones, in this order; last the Atrium of another checkout, when one was named. */
  targets: { name: string; figures: Figures }[]
  cpuToFloor: number
  throughputToNaive: number
  throughputToOneInsert: number
}

const eventsPerRequest = 10

/** Ingest of events on one engine: Atrium, its floor and a naive server, in turns within one run. */
export async function benchEvents(engineName: Engine['name'], options: BenchOptions): Promise<EventsResult> {
  const engine = await startEngine(engineName)
  const load = await startLoad()
  const targets: Target[] = []
  try {
    targets.push(await startAtriumTarget(engine, load, options.sessions, options))
    targets.push(await startPeer('floor', engine, options.sessions))
    targets.push(await startPeer('naive', engine, options.sessions))
    targets.push(await startPeer('naive, one insert', engine, options.sessions))
    const { beforeFolder: checkout } = options
    if (checkout) targets.push(await startAtriumTarget(engine, load, options.sessions, { checkout }))
    return resultOf(engineName, targets, await takeTurns(load, targets, options))
  } finally {
    for (const target of targets) await target.stop()
    await load.stop()
    await engine.stop()
  }
}

/** A, B, C, A, B, C …: what changes on the machine meanwhile falls on all of them alike. */
async function takeTurns(load: Load, targets: Target[], options: BenchOptions): Promise<Round[][]> {
  const rounds: Round[][] = targets.map(() => [])
  const firstLanes = targets.map(() => 0)
  const body = eventBatch(eventsPerRequest)
  // As if the whole run fell into one window of the rate limit: then no request can be refused.
  const perRound = Math.floor((options.sessions * limits.requestsPerWindow.events) / (options.rounds + 1))
  for (let round = 0; round <= options.rounds; round++) {
    for (const [index, target] of targets.entries()) {
      const isWarmUp = round === 0
      const outcome = await load.measure(
        {
          address: target.address,
          method: 'POST',
          path: target.eventsPath,
          clients: options.clients,
          longestMs: options.seconds * 1000,
          mostRequests: perRound,
          firstLane: firstLanes[index] ?? 0,
          lanes: target.lanes,
          body,
          collect: false,
        },
        target,
      )
      firstLanes[index] = ((firstLanes[index] ?? 0) + outcome.requests) % target.lanes.length
      if (!isWarmUp) rounds[index]?.push(outcome)
    }
  }
  return rounds
}

function resultOf(engine: Engine['name'], targets: Target[], rounds: Round[][]): EventsResult {
  const measured = targets.map(({ name }, index) => ({ name, figures: figuresOf(rounds[index] ?? []) }))
  const [atrium, floor, naive, oneInsert] = measured
  if (!atrium || !floor || !naive || !oneInsert) throw new Error('four targets are compared')
  return {
    engine,
    targets: measured,
    cpuToFloor: atrium.figures.cpuMicrosPerRequest / floor.figures.cpuMicrosPerRequest,
    throughputToNaive: atrium.figures.perSecond / naive.figures.perSecond,
    throughputToOneInsert: atrium.figures.perSecond / oneInsert.figures.perSecond,
  }
}
