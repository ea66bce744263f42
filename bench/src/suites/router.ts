import { percentile } from '../harness/measure.ts'
import { echo } from '../load/echo.ts'
import { type Load, type LoadOrder, refuseFailures, startLoad } from '../load/http-load.ts'
import type { BenchOptions } from '../options.ts'
import { benchRoom, type Route, startPodProxies, startProxies } from '../targets/proxies.ts'
import { eventBatch } from './events.ts'

export interface ProxyFigures {
  name: string
  operations: number
  cpuMicrosPerOperation: number
  /** One request at a time, so that no queue is measured. */
  p50Ms: number
}

export interface RouterResult {
  http: ProxyFigures[]
  echo: ProxyFigures[]
  /** Requests to a real pod, which has real work to do. */
  pod: ProxyFigures[]
}

interface Round {
  operations: number
  latenciesMs: ArrayLike<number>
}

type Measure = (proxy: Route, clients: number, ms: number) => Promise<Round>

/** A request and an echo take turns through the router, through nginx, and without a proxy. */
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

function requestsOf(load: Load, request: Pick<LoadOrder, 'method' | 'path' | 'lanes' | 'body'>): Measure {
  let firstLane = 0
  return async ({ address }, clients, maxMs) => {
    const order: LoadOrder = {
      ...request,
      address,
      clients,
      maxMs,
      firstLane,
      maxRequests: Number.MAX_SAFE_INTEGER,
      collect: false,
    }
    const { requests, latenciesMs, failures } = await load.run(order)
    refuseFailures(failures, order.path)
    firstLane = (firstLane + requests) % request.lanes.length
    return { operations: requests, latenciesMs }
  }
}

/** Short turns, because the machine's speed changes from minute to minute and neighbours in time are comparable. */
const turnsPerRound = 4

async function measureAll(
  proxies: Route[],
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
      if (turn < 0 || !total) continue // The first round is the warm-up.
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
