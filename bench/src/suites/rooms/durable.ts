import { fileURLToPath } from 'node:url'
import { startServer } from '@atrium/testkit'
import { type Engine, type EngineName, startEngine } from '../../harness/engines.ts'
import { cpuMicrosOf, cpuMicrosOfDatabases, percentile } from '../../harness/measure.ts'
import { startLoad } from '../../load/http-load.ts'
import type { SocketToOpen } from '../../load/room-connection.ts'
import { type ChatOutcome, combine, peoplePerRoom, startRoomLoad } from '../../load/room-load.ts'
import type { BenchOptions } from '../../options.ts'
import { broadcastRoom } from '../../targets/broadcasts.ts'
import { startRoomServer } from '../../targets/room-server.ts'
import { refuseErrors } from './crowd.ts'

/** As fast as the server goes, with a message of every room under way; or at the rate of the options. */
type Pace = 'saturated' | 'paced'
const paces: readonly Pace[] = ['saturated', 'paced']

interface DurableFigures {
  name: string
  actions: number
  actionsPerSecond: number
  p50Ms: number
  p99Ms: number
  cpuMicrosPerAction: number
  databaseCpuMicrosPerAction: number
}

export interface DurableResult {
  engine: EngineName
  sockets: number
  perSecond: number
  paces: {
    pace: Pace
    targets: DurableFigures[]
    /** CPU per action, Atrium divided by the floor, in total and by round. */
    cpuToFloor: number
    cpuToFloorByRound: number[]
  }[]
}

interface Target {
  name: string
  pid: number
  stderr(): string
  people: Awaited<ReturnType<typeof startRoomLoad>>
}

interface Part {
  outcome: ChatOutcome
  cpuMicros: number
  databaseCpuMicros: number
}

/** What to stop at the end, last first. */
type Stops = (() => Promise<unknown>)[]

const loadProcesses = 2

/** Durable actions in rooms of four: the floor and the platform take turns. A refused or lost message fails the run. */
export async function benchDurable(engineName: EngineName, options: BenchOptions): Promise<DurableResult> {
  const rooms = Math.floor(options.sockets / peoplePerRoom)
  const stops: Stops = []
  try {
    const engine = await startEngine(engineName)
    stops.push(engine.stop)
    const targets = [await startFloor(engine, rooms, stops), await startPlatform(engine, rooms, stops)]
    if (options.beforeFolder) targets.push(await startPlatform(engine, rooms, stops, options.beforeFolder))
    const measured = paces.map((pace) => ({ pace, parts: targets.map((): Part[] => []) }))
    for (let round = 0; round <= options.rounds; round++)
      for (const { pace, parts } of measured)
        for (const [index, target] of targets.entries()) {
          const part = await measure(target, pace, rooms, options)
          if (round > 0) parts[index]?.push(part)
        }
    return {
      engine: engineName,
      sockets: rooms * peoplePerRoom,
      perSecond: options.actionsPerSecond,
      paces: measured.map(({ pace, parts }) => ({ pace, ...compared(targets, parts) })),
    }
  } finally {
    for (const stop of stops.reverse()) await stop()
  }
}

async function startFloor(engine: Engine, rooms: number, stops: Stops): Promise<Target> {
  const entry = fileURLToPath(new URL('../../targets/room-floor.ts', import.meta.url))
  const sockets = rooms * peoplePerRoom
  const server = await startServer({ entry, env: { ...(await engine.freshEnv()), SOCKETS: String(sockets) } })
  stops.push(server.stop)
  const addresses = Array.from({ length: sockets }, (_, index) => ({
    address: server.http,
    roomId: broadcastRoom(Math.floor(index / peoplePerRoom)),
    auth: null,
  }))
  return {
    name: 'floor',
    pid: server.pid,
    stderr: server.stderr,
    people: await openSockets(addresses, stops),
  }
}

async function startPlatform(
  engine: Engine,
  rooms: number,
  stops: Stops,
  checkout?: string,
): Promise<Target> {
  const load = await startLoad()
  stops.push(load.stop)
  const world = await startRoomServer(engine, load, { checkout })
  stops.push(world.stop)
  const sockets = await world.makeRooms(await world.join(rooms * peoplePerRoom))
  return {
    name: world.name,
    pid: world.pid,
    stderr: world.stderr,
    people: await openSockets(sockets, stops),
  }
}

async function openSockets(sockets: SocketToOpen[], stops: Stops): Promise<Target['people']> {
  const people = await startRoomLoad(loadProcesses)
  stops.push(people.stop)
  await people.open(sockets)
  return people
}

async function measure(target: Target, pace: Pace, rooms: number, options: BenchOptions): Promise<Part> {
  const before = { server: cpuMicrosOf(target.pid), databases: cpuMicrosOfDatabases() }
  const ms = options.seconds * 1000
  const outcome =
    pace === 'saturated'
      ? await target.people.rush(rooms, ms)
      : await target.people.chat(options.actionsPerSecond, ms)
  refuseErrors(outcome, target.stderr())
  return {
    outcome,
    cpuMicros: cpuMicrosOf(target.pid) - before.server,
    databaseCpuMicros: cpuMicrosOfDatabases() - before.databases,
  }
}

function compared(targets: Target[], parts: Part[][]) {
  const figures = targets.map(({ name }, index) => figuresOf(name, parts[index] ?? []))
  const [floor, platform] = figures
  const [floorParts = [], platformParts = []] = parts
  if (!floor || !platform) throw new Error('the platform is compared with the floor')
  const cost = ({ cpuMicros, outcome }: Part) => cpuMicros / outcome.sent
  return {
    targets: figures,
    cpuToFloor: platform.cpuMicrosPerAction / floor.cpuMicrosPerAction,
    cpuToFloorByRound: platformParts.map((part, round) => {
      const floorPart = floorParts[round]
      return floorPart ? cost(part) / cost(floorPart) : Number.NaN
    }),
  }
}

function figuresOf(name: string, parts: Part[]): DurableFigures {
  const sum = (pick: (part: Part) => number) => parts.reduce((total, part) => total + pick(part), 0)
  const { sent, acknowledgedMs } = combine(parts.map(({ outcome }) => outcome))
  return {
    name,
    actions: sent,
    actionsPerSecond: (sent * 1000) / sum(({ outcome }) => outcome.ms),
    p50Ms: percentile(acknowledgedMs, 0.5),
    p99Ms: percentile(acknowledgedMs, 0.99),
    cpuMicrosPerAction: sum(({ cpuMicros }) => cpuMicros) / sent,
    databaseCpuMicrosPerAction: sum(({ databaseCpuMicros }) => databaseCpuMicros) / sent,
  }
}
