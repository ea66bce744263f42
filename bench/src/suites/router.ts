import { percentile } from '../harness/measure.ts'
import { echo } from '../load/echo.ts'
import { type Load, type LoadOrder, refuseFailures, startLoad } from '../load/http-load.ts'
import type { BenchOptions } from '../options.ts'
import { benchRoom, startPodProxies, startProxies, type Way } from '../targets/proxies.ts'
import { eventBatch } from './event-batch.ts'

export interface ProxyFigures {
  name: string
  operations: number
  cpuMicrosPerOperation: number
  /** One at a time, so that it is the way that is measured and not the queue. */
  p50Ms: number
}

export interface RouterResult {
  http: ProxyFigures[]
  echo: ProxyFigures[]
  /** Requests to a real pod, which has more to do than to answer. */
  pod: ProxyFigures[]
}

interface Round {
  operations: number
  latenciesMs: ArrayLike<number>
}

type Measure = (proxy: Way, clients: number, ms: number) => Promise<Round>

/** A request and an echo through the router, through nginx, and without either, in turns. */
export async function benchRouter(options: BenchOptions): Promise<RouterResult> {
  const load = await startLoad()
  try {
    return { ...(await benchBare(load, options)), pod: await benchPod(load, options) }
  } finally {
    await load.stop()
  }
}

async function benchBare(load: Load, options: BenchOptions): Promise<Omit<RouterResult, 'pod'>> {
  const { proxies, stop } = await startProxies(options)
  const request = requestsOf(load, { method: 'GET', path: `/api/room/${benchRoom}`, lanes: [{}] })
  const socket: Measure = async ({ address }, clients, ms) => {
    const { count, latenciesMs } = await echo(address, `/socket.io/?roomId=${benchRoom}`, clients, ms)
    return { operations: count, latenciesMs }
  }
  try {
    return {
      http: await measureAll(proxies, request, options),
      echo: await measureAll(proxies, socket, options),
    }
  } finally {
    await stop()
  }
}

async function benchPod(load: Load, options: BenchOptions): Promise<ProxyFigures[]> {
  const { proxies, pod, stop } = await startPodProxies(load, options.sessions)
  const { eventsPath: path, lanes } = pod
  try {
    return await measureAll(
      proxies,
      requestsOf(load, { method: 'POST', path, lanes, body: eventBatch(10) }),
      options,
    )
  } finally {
    await stop()
  }
}

function requestsOf(load: Load, asked: Pick<LoadOrder, 'method' | 'path' | 'lanes' | 'body'>): Measure {
  let firstLane = 0
  return async ({ address }, clients, longestMs) => {
    const order: LoadOrder = {
      ...asked,
      address,
      clients,
      longestMs,
      firstLane,
      mostRequests: Number.MAX_SAFE_INTEGER,
      collect: false,
    }
    const { requests, latenciesMs, failures } = await load.run(order)
    refuseFailures(failures, order.path)
    firstLane = (firstLane + requests) % asked.lanes.length
    return { operations: requests, latenciesMs }
  }
}

/** Short ones: the machine is faster in one minute than in the next, and each turn compares what is next to each other. */
const turnsPerRound = 4

async function measureAll(
  proxies: Way[],
  measure: Measure,
  { rounds, seconds, clients }: BenchOptions,
): Promise<ProxyFigures[]> {
  const totals = proxies.map(({ name }) => ({
    name,
    operations: 0,
    cpuMicros: 0,
    latenciesMs: [] as number[],
  }))
  const turnMs = (seconds * 1000) / turnsPerRound
  for (let turn = -turnsPerRound; turn < rounds * turnsPerRound; turn++)
    for (const [index, proxy] of proxies.entries()) {
      const before = proxy.cpuMicros()
      const crowd = await measure(proxy, clients, turnMs * 0.8)
      const cpuMicros = proxy.cpuMicros() - before
      const alone = await measure(proxy, 1, turnMs * 0.2)
      const total = totals[index]
      if (turn < 0 || !total) continue // The first round warms up.
      total.operations += crowd.operations
      total.cpuMicros += cpuMicros
      total.latenciesMs.push(...Array.from(alone.latenciesMs))
    }
  return totals.map(({ name, operations, cpuMicros, latenciesMs }) => ({
    name,
    operations,
    cpuMicrosPerOperation: cpuMicros / operations,
    p50Ms: percentile(new Float64Array(latenciesMs).sort(), 0.5),
  }))
}
