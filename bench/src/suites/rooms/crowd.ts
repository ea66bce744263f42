import { setTimeout as delay } from 'node:timers/promises'
import { type EngineName, startEngine } from '../../harness/engines.ts'
import { cpuMicrosOf, cpuMicrosOfDatabases, percentile } from '../../harness/measure.ts'
import { startLoad } from '../../load/http-load.ts'
import { type ChatOutcome, combine, peoplePerRoom, startRoomLoad } from '../../load/room-load.ts'
import type { BenchOptions } from '../../options.ts'
import type { Memory } from '../../targets/responses.ts'
import { startRoomServer } from '../../targets/room-server.ts'

export interface CrowdResult {
  engine: EngineName
  /** Whether this is the server of another checkout. */
  isBefore: boolean
  sockets: number
  rooms: number
  actions: number
  actionsPerSecond: number
  broadcast: { p50Ms: number; p99Ms: number }
  acknowledged: { p50Ms: number; p99Ms: number }
  /** Handshake, log entry for the connection, and snapshot. */
  cpuMicrosPerConnection: number
  cpuMicrosPerAction: number
  databaseCpuMicrosPerAction: number
  /** Share of one core that idle sockets take. */
  idleCores: number
  memory: Record<'joined' | 'rooms' | 'sockets' | 'talked', Memory>
}

const loadProcesses = 2

/** One instance full of participants who chat in groups of four. A refused or lost message fails the run. */
export async function benchCrowd(
  engineName: EngineName,
  options: BenchOptions,
  checkout?: string,
): Promise<CrowdResult> {
  const engine = await startEngine(engineName)
  const stops: (() => Promise<unknown>)[] = [engine.stop]
  try {
    const load = await startLoad()
    stops.push(load.stop)
    const { profileFolder } = options
    const world = await startRoomServer(engine, load, checkout ? { checkout } : { profileFolder })
    stops.push(world.stop)
    const people = await startRoomLoad(loadProcesses)
    stops.push(people.stop)
    const rooms = Math.floor(options.sockets / peoplePerRoom)
    const sessions = await world.join(rooms * peoplePerRoom)
    const joined = await world.memoryInUse()
    const sockets = await world.makeRooms(sessions)
    const withRooms = await world.memoryInUse()
    const openingFrom = cpuMicrosOf(world.pid)
    await people.open(sockets)
    const connecting = cpuMicrosOf(world.pid) - openingFrom
    const withSockets = await world.memoryInUse()

    const idleMs = options.seconds * 1000
    const idleFrom = cpuMicrosOf(world.pid)
    await delay(idleMs)
    const idleCores = (cpuMicrosOf(world.pid) - idleFrom) / 1000 / idleMs

    refuseErrors(await people.chat(options.actionsPerSecond, idleMs), world.stderr()) // Warm-up
    const before = { server: cpuMicrosOf(world.pid), databases: cpuMicrosOfDatabases() }
    const parts: ChatOutcome[] = []
    for (let round = 0; round < options.rounds; round++)
      parts.push(await people.chat(options.actionsPerSecond, options.seconds * 1000))
    const cpuMicros = cpuMicrosOf(world.pid) - before.server
    const databaseCpuMicros = cpuMicrosOfDatabases() - before.databases
    const outcome = combine(parts)
    refuseErrors(outcome, world.stderr())
    return {
      engine: engineName,
      isBefore: checkout !== undefined,
      sockets: sockets.length,
      rooms,
      actions: outcome.sent,
      actionsPerSecond: (outcome.sent * 1000) / parts.reduce((total, { ms }) => total + ms, 0),
      broadcast: percentiles(outcome.broadcastMs),
      acknowledged: percentiles(outcome.acknowledgedMs),
      cpuMicrosPerConnection: connecting / sockets.length,
      cpuMicrosPerAction: cpuMicros / outcome.sent,
      databaseCpuMicrosPerAction: databaseCpuMicros / outcome.sent,
      idleCores,
      memory: { joined, rooms: withRooms, sockets: withSockets, talked: await world.memoryInUse() },
    }
  } finally {
    for (const stop of stops.reverse()) await stop()
  }
}

const percentiles = (sorted: Float64Array) => ({
  p50Ms: percentile(sorted, 0.5),
  p99Ms: percentile(sorted, 0.99),
})

export function refuseErrors({ errors }: ChatOutcome, stderr: string): void {
  const listed = Object.entries(errors).map(([kind, count]) => `${count} × ${kind}`)
  if (listed.length > 0)
    throw new Error(
      `some messages were refused or lost, so nothing was measured: ${listed.join(', ')}; ${stderr.slice(-2_000)}`,
    )
}
