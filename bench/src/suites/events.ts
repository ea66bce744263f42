import { limits } from '@atrium/contract'
import { numberedEvent } from '@atrium/testkit'
import { type Engine, startEngine } from '../harness/engines.ts'
import { type Figures, figuresOf, type Round } from '../harness/measure.ts'
import { type EventsTarget, type Load, startLoad } from '../load/http-load.ts'
import type { BenchOptions } from '../options.ts'
import { startAtriumTarget } from '../targets/atrium.ts'
import { startPeer } from '../targets/peer.ts'

export interface EventsResult {
  engine: Engine['name']
  /** Atrium, the floor and both naive servers in this order, then the Atrium of another checkout if there is one. */
  targets: { name: string; figures: Figures }[]
  cpuToFloor: number
  throughputToNaive: number
  throughputToOneInsert: number
}

const eventsPerRequest = 10

/** Event ingest on one engine: Atrium, its floor and naive servers take turns within one run. */
export async function benchEvents(engineName: Engine['name'], options: BenchOptions): Promise<EventsResult> {
  const engine = await startEngine(engineName)
  const load = await startLoad()
  const targets: EventsTarget[] = []
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

/**
 * A, B, C, C, B, A …: changes on the machine affect all of them alike, and what one server leaves to the database does
 * not always cost the same other one.
 */
async function takeTurns(load: Load, targets: EventsTarget[], options: BenchOptions): Promise<Round[][]> {
  const rounds: Round[][] = targets.map(() => [])
  const firstLanes = targets.map(() => 0)
  const body = eventBatch(eventsPerRequest)
  // As if the whole run fell into one window of the rate limit, so that no request can be refused.
  const perRound = Math.floor((options.sessions * limits.requestsPerWindow.events) / (options.rounds + 1))
  for (let round = 0; round <= options.rounds; round++) {
    const inTurn = round % 2 === 0 ? [...targets.entries()] : [...targets.entries()].reverse()
    for (const [index, target] of inTurn) {
      const isWarmUp = round === 0
      const outcome = await load.measure(
        {
          address: target.address,
          method: 'POST',
          path: target.eventsPath,
          clients: options.clients,
          maxMs: options.seconds * 1000,
          maxRequests: perRound,
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

function resultOf(engine: Engine['name'], targets: EventsTarget[], rounds: Round[][]): EventsResult {
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

/** The body of `POST …/events`: mostly responses, and in larger batches one state change and one custom event. */
export function eventBatch(size: number): string {
  const events: object[] = Array.from({ length: size }, (_, index) => numberedEvent(index))
  if (size >= 10) {
    events[0] = { ...numberedEvent(0), type: 'state_transition', data: { fromState: 's1', toState: 's2' } }
    events[1] = { ...numberedEvent(1), type: 'pointer.moved', data: { x: 314.5, y: 271.8, target: 'slider' } }
  }
  return JSON.stringify({ events })
}
