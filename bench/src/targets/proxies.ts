import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { keys } from '@atrium/coordination'
import { connectRedis, untilConnected } from '@atrium/program'
import { type Server, startRedis, startRouter, startServer } from '@atrium/testkit'
import { startEngine } from '../harness/engines.ts'
import { cpuMicrosOf } from '../harness/measure.ts'
import type { Load } from '../load/http-load.ts'
import type { BenchOptions } from '../options.ts'
import { startAtriumTarget } from './atrium.ts'
import { type NginxKind, startNginx } from './nginx.ts'

/** A way from the load generator to the backend. */
export interface Route {
  name: string
  address: string
  /** CPU time used so far. */
  cpuMicros(): number
}

export const benchRoom = 'room_bench'

type RouterBenchOptions = Pick<BenchOptions, 'profileFolder' | 'beforeFolder'>

/** A bare backend, directly and behind each proxy; nginx only if it is installed. */
export async function startProxies({ profileFolder, beforeFolder }: RouterBenchOptions) {
  return await stoppable(async (keep) => {
    const entry = fileURLToPath(new URL('./router-backend.ts', import.meta.url))
    const backend = keep(await startServer({ entry }))
    const redis = keep(await startRedis())
    await pinRoom(redis.url, backend.http)
    const profiling = profileFolder ? { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profileFolder}` } : {}
    const router = keep(await startRouter({ redisUrl: redis.url, env: profiling }))
    const proxies = [directTo(backend.http), viaRouter(router)]
    if (beforeFolder) proxies.push(viaRouter(keep(await startRouterBefore(beforeFolder, redis.url)), true))
    for (const kind of ['nginx', 'nginx + Lua'] satisfies NginxKind[]) {
      const nginx = await startNginx({ kind, backend: backend.http, redisUrl: redis.url })
      if (nginx) proxies.push(keep(nginx))
    }
    return { proxies }
  })
}

/** The same for a real pod with participants who have joined. */
export async function startPodProxies(load: Load, sessions: number) {
  return await stoppable(async (keep) => {
    const engine = keep(await startEngine('postgres'))
    const pod = keep(await startAtriumTarget(engine, load, sessions, {}))
    const redis = keep(await startRedis())
    const env = { ROUTER_BACKENDS: pod.address }
    const router = keep(await startRouter({ redisUrl: redis.url, env }))
    const proxies = [directTo(pod.address), viaRouter(router)]
    const nginx = await startNginx({ kind: 'nginx', backend: pod.address, redisUrl: redis.url })
    if (nginx) proxies.push(keep(nginx))
    return { proxies, pod }
  })
}

const directTo = (address: string): Route => ({ name: 'direct', address, cpuMicros: () => 0 })
const viaRouter = ({ http, pid }: Server, isBefore = false): Route => ({
  name: isBefore ? 'Atrium, before' : 'Atrium',
  address: http,
  cpuMicros: () => cpuMicrosOf(pid),
})

/** The router of another checkout. */
const startRouterBefore = async (checkout: string, redisUrl: string): Promise<Server> =>
  await startRouter({ redisUrl, entry: join(checkout, 'apps', 'router', 'src', 'entry', 'route.ts') })

type Keep = <Started extends { stop(): Promise<unknown> }>(started: Started) => Started

/** Adds a `stop` for everything that `start` kept, and calls it at once if `start` fails. */
async function stoppable<Started>(start: (keep: Keep) => Promise<Started>) {
  const stops: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const undo of stops.splice(0).reverse()) await undo()
  }
  try {
    const started = await start((one) => {
      stops.push(() => one.stop())
      return one
    })
    return { ...started, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function pinRoom(redisUrl: string, address: string): Promise<void> {
  const redis = connectRedis(redisUrl, () => undefined)
  await untilConnected(redis, 5_000)
  const lease = { address, draining: false, maxRooms: 20, maxParticipants: 80 }
  await redis.sadd(keys.pods, 'pod-bench')
  await redis.set(keys.podLease('pod-bench'), JSON.stringify(lease))
  const assignment = { podId: 'pod-bench', participantCount: 4, assignedAt: Date.now() }
  await redis.set(keys.roomPod(benchRoom), JSON.stringify(assignment))
  redis.disconnect()
}
