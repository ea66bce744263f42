import { fileURLToPath } from 'node:url'
import { startServer } from '@atrium/testkit'
import { startEngine } from '../../harness/engines.ts'
import { cpuMicrosOf } from '../../harness/measure.ts'
import { startLoad } from '../../load/http-load.ts'
import { peoplePerRoom, startRoomLoad } from '../../load/room-load.ts'
import type { BenchOptions } from '../../options.ts'
import { broadcastRoom } from '../../targets/broadcasts.ts'
import { startRoomServer } from '../../targets/room-server.ts'
import { refuseErrors } from './crowd.ts'

export interface BroadcastResult {
  rooms: number
  targets: { name: string; deliveries: number; cpuMicrosPerDelivery: number }[]
  /** The platform's broadcast divided by raw `ws`, in total and by round. */
  cpuToRaw: number
  cpuToRawByRound: number[]
}

interface BroadcastTarget {
  name: string
  /** Measures one round. */
  measure(ms: number): Promise<Cost>
}

/** What to stop at the end, last first. */
type Stops = (() => Promise<unknown>)[]

interface Cost {
  deliveries: number
  cpuMicros: number
}

const maxRooms = 50
const broadcastsPerSecond = 2_000
/** Lower, because each action is stored before it is broadcast, and the sockets must stay below their rate limit. */
const actionsPerSecond = 400

/** Broadcasts to rooms of four: raw `ws`, the platform's broadcast alone, and a complete action take turns. */
export async function benchBroadcast(options: BenchOptions): Promise<BroadcastResult> {
  const rooms = Math.min(maxRooms, Math.floor(options.sockets / peoplePerRoom))
  const stops: Stops = []
  const peer = { rooms, stops }
  try {
    const raw = new URL('../../targets/raw-ws.ts', import.meta.url)
    const fanOut = new URL('../../targets/fan-out.ts', import.meta.url)
    const targets = [
      await startPeer({ ...peer, name: 'raw ws', entry: raw, auth: null }),
      await startPeer({ ...peer, name: 'Atrium, broadcast', entry: fanOut, auth: {} }),
      await startDurable(rooms, stops),
    ]
    if (options.beforeFolder) targets.push(await startDurable(rooms, stops, options.beforeFolder))
    const costs: Cost[][] = targets.map(() => [])
    for (let round = 0; round <= options.rounds; round++)
      for (const [index, target] of targets.entries()) {
        const cost = await target.measure(options.seconds * 1000)
        if (round > 0) costs[index]?.push(cost)
      }
    return resultOf(rooms, targets, costs)
  } finally {
    for (const stop of stops.reverse()) await stop()
  }
}

interface PeerOptions {
  name: string
  entry: URL
  rooms: number
  auth: object | null
  stops: Stops
}

async function startPeer({ name, entry, rooms, auth, stops }: PeerOptions): Promise<BroadcastTarget> {
  const server = await startServer({ entry: fileURLToPath(entry) })
  stops.push(server.stop)
  const sockets = await startRoomLoad(1)
  stops.push(sockets.stop)
  await sockets.open(
    Array.from({ length: rooms * peoplePerRoom }, (_, index) => ({
      address: server.http,
      roomId: broadcastRoom(Math.floor(index / peoplePerRoom)),
      auth,
    })),
  )
  let awaited = 0
  return {
    name,
    async measure(ms) {
      const count = Math.ceil((ms / 1000) * broadcastsPerSecond)
      const deliveries = count * peoplePerRoom
      const before = cpuMicrosOf(server.pid)
      const query = `rooms=${rooms}&perSecond=${broadcastsPerSecond}&count=${count}`
      await fetch(`${server.http}/?${query}`, { method: 'POST' })
      awaited += deliveries
      await sockets.received(awaited)
      return { deliveries, cpuMicros: cpuMicrosOf(server.pid) - before }
    },
  }
}

async function startDurable(rooms: number, stops: Stops, checkout?: string): Promise<BroadcastTarget> {
  const load = await startLoad()
  stops.push(load.stop)
  const world = await startRoomServer(await startEngine('sqlite'), load, { checkout })
  stops.push(world.stop)
  const sockets = await startRoomLoad(1)
  stops.push(sockets.stop)
  await sockets.open(await world.makeRooms(await world.join(rooms * peoplePerRoom)))
  return {
    name: `${world.name}, durable action`,
    async measure(ms) {
      const before = cpuMicrosOf(world.pid)
      const outcome = await sockets.chat(actionsPerSecond, ms)
      refuseErrors(outcome, world.stderr())
      return { deliveries: outcome.sent * peoplePerRoom, cpuMicros: cpuMicrosOf(world.pid) - before }
    },
  }
}

function resultOf(rooms: number, targets: BroadcastTarget[], costs: Cost[][]): BroadcastResult {
  const measured = targets.map(({ name }, index) => {
    const sum = (pick: (cost: Cost) => number) =>
      (costs[index] ?? []).reduce((total, cost) => total + pick(cost), 0)
    const deliveries = sum((cost) => cost.deliveries)
    return { name, deliveries, cpuMicrosPerDelivery: sum((cost) => cost.cpuMicros) / deliveries }
  })
  const [raw, broadcast] = measured
  const [rawCosts = [], broadcastCosts = []] = costs
  if (!raw || !broadcast) throw new Error('two ways to broadcast are compared')
  return {
    rooms,
    targets: measured,
    cpuToRaw: broadcast.cpuMicrosPerDelivery / raw.cpuMicrosPerDelivery,
    cpuToRawByRound: broadcastCosts.map(
      ({ cpuMicros }, round) => cpuMicros / (rawCosts[round]?.cpuMicros ?? Number.NaN),
    ),
  }
}
