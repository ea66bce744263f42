import { fileURLToPath } from 'node:url'
import { limits } from '@atrium/contract'
import { type Server, startServer } from '@atrium/testkit'
import { type Engine, startEngine } from '../../harness/engines.ts'
import { cpuMicrosOf, cpuMicrosOfDatabases, percentile } from '../../harness/measure.ts'
import { startWorker, type Worker } from '../../harness/worker.ts'
import type { ModelCallsOrder, ModelCallsOutcome } from '../../load/model-calls.ts'
import type { BenchOptions } from '../../options.ts'
import { type AgentServer, startAgentServer } from '../../targets/agent-server.ts'
import { agentsPerRoom, turnsPerRound } from './study.ts'
import { takenTurns } from './taken-turns.ts'

export const modelMs = 200

/** How long agents think before each turn. */
export const paces = { 'at once': 0, 'as people': 1_500 } as const
type PaceName = keyof typeof paces

export interface AgentFigures {
  turns: number
  perSecond: number
  /** Above the model's own time. */
  p50Ms: number
  p95Ms: number
  cpuMicrosPerTurn: number
  databaseCpuMicrosPerTurn: number
}

export interface AgentsResult {
  engine: Engine['name']
  agents: number
  paces: { pace: PaceName; atrium: AgentFigures; floor: AgentFigures }[]
}

interface Round {
  ms: number
  /** Above the model's time. */
  latenciesMs: Float64Array
  cpuMicros: number
  databaseCpuMicros: number
}

interface Stage {
  atrium: AgentServer
  floor: Worker<ModelCallsOrder, ModelCallsOutcome>
  model: Server
  rooms: number
}

const key = 'atr_bench'

/**
 * Rooms full of agents on one instance, with a model that always takes the same time; and the same calls by a bare loop,
 * in turns. Everything but the server under test runs in processes of its own.
 */
export async function benchAgents(
  engineName: Engine['name'],
  { seconds, rounds, sockets, profileFolder }: BenchOptions,
): Promise<AgentsResult> {
  const rooms = Math.max(1, Math.min(limits.pilotRooms, Math.floor(sockets / agentsPerRoom)))
  const stops: (() => Promise<unknown>)[] = []
  try {
    const engine = await startEngine(engineName)
    stops.push(engine.stop)
    const model = await startServer({
      entry: fileURLToPath(new URL('../../targets/slow-model.ts', import.meta.url)),
      env: { MODEL_MS: String(modelMs) },
    })
    stops.push(model.stop)
    const program = new URL('../../load/model-calls-worker.ts', import.meta.url)
    const floor = startWorker<ModelCallsOrder, ModelCallsOutcome>('bare loop', program)
    stops.push(floor.stop)
    const atrium = await startAgentServer(engine, { baseUrl: `${model.http}/v1`, key, profileFolder })
    stops.push(atrium.stop)
    const stage = { atrium, floor, model, rooms }
    const results: AgentsResult['paces'] = []
    for (const pace of ['at once', 'as people'] as const)
      results.push(await measurePace(stage, pace, { seconds, rounds }))
    return { engine: engineName, agents: rooms * agentsPerRoom, paces: results }
  } finally {
    for (const stop of stops.reverse()) await stop()
  }
}

async function measurePace(
  stage: Stage,
  pace: PaceName,
  { seconds, rounds }: Pick<BenchOptions, 'seconds' | 'rounds'>,
): Promise<AgentsResult['paces'][number]> {
  const thinkMs = paces[pace]
  const studyRounds = Math.max(1, Math.round((seconds * 1000) / (turnsPerRound * (thinkMs + modelMs))))
  const parts = { atrium: [] as Round[], floor: [] as Round[] }
  for (let round = 0; round <= rounds; round++) {
    const played = await playRound(stage, thinkMs, studyRounds)
    const looped = await loopRound(stage, thinkMs, studyRounds)
    if (round === 0) continue // The warm-up
    parts.atrium.push(played)
    parts.floor.push(looped)
  }
  return { pace, atrium: figuresOf(parts.atrium), floor: figuresOf(parts.floor) }
}

/** Where agents think, not all rooms act in the same instant. */
const spreadOf = (thinkMs: number): number => (thinkMs === 0 ? 0 : thinkMs + modelMs)

/** CPU is counted from the moment when the last rooms begin, and so are the turns. */
async function playRound({ atrium, rooms }: Stage, thinkMs: number, studyRounds: number): Promise<Round> {
  const gauge = () => ({
    at: Date.now(),
    server: cpuMicrosOf(atrium.pid),
    databases: cpuMicrosOfDatabases(),
  })
  let begun = gauge()
  const play = await atrium.begin({
    rooms,
    thinkMs,
    studyRounds,
    spreadMs: spreadOf(thinkMs),
    beforeLast() {
      begun = gauge()
    },
  })
  await play.ended()
  const ended = gauge()
  const turns = takenTurns(await play.lines(), thinkMs)
  const expected = rooms * agentsPerRoom * turnsPerRound * studyRounds
  if (turns.length !== expected)
    throw new Error(`the agents took ${turns.length} turns, not ${expected}, so nothing was measured`)
  const counted = turns.filter(({ at }) => at >= begun.at)
  return {
    ms: Math.max(...turns.map(({ at }) => at)) - begun.at,
    latenciesMs: new Float64Array(counted.map(({ latencyMs }) => latencyMs - modelMs)),
    cpuMicros: ended.server - begun.server,
    databaseCpuMicros: ended.databases - begun.databases,
  }
}

async function loopRound(
  { atrium, floor, model, rooms }: Stage,
  thinkMs: number,
  studyRounds: number,
): Promise<Round> {
  const { ms, latenciesMs, cpuMicros } = await floor.run({
    baseUrl: `${model.http}/v1`,
    apiKey: key,
    body: await atrium.usualRequest(),
    groups: rooms,
    groupSize: agentsPerRoom,
    callsEach: turnsPerRound * studyRounds,
    thinkMs,
    spreadMs: spreadOf(thinkMs),
  })
  return { ms, latenciesMs: latenciesMs.map((each) => each - modelMs), cpuMicros, databaseCpuMicros: 0 }
}

function figuresOf(rounds: readonly Round[]): AgentFigures {
  const sum = (pick: (round: Round) => number) => rounds.reduce((total, round) => total + pick(round), 0)
  const latencies = new Float64Array(rounds.flatMap(({ latenciesMs }) => [...latenciesMs])).sort()
  const turns = latencies.length
  return {
    turns,
    perSecond: (turns * 1000) / sum(({ ms }) => ms),
    p50Ms: percentile(latencies, 0.5),
    p95Ms: percentile(latencies, 0.95),
    cpuMicrosPerTurn: sum(({ cpuMicros }) => cpuMicros) / turns,
    databaseCpuMicrosPerTurn: sum(({ databaseCpuMicros }) => databaseCpuMicros) / turns,
  }
}
