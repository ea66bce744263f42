import { fileURLToPath } from 'node:url'
import { keys } from '@atrium/contract'
import { connectRedis, untilConnected } from '@atrium/program'
import { startRedis, startRouter, startServer } from '@atrium/testkit'
import { cpuMicrosOf } from './measure.ts'
import type { BenchOptions } from './options.ts'
import { type NginxKind, startNginx } from './router-nginx.ts'

/** Something between the load and the backend. */
export interface Way {
  name: string
  address: string
  /** What it has used of the processor so far. */
  cpuMicros(): number
  stop(): Promise<unknown>
}

export const benchRoom = 'room_bench'

/** The same backend directly and behind each proxy; nginx as far as it is installed. */
export async function startProxies({ profileFolder }: Pick<BenchOptions, 'profileFolder'>) {
  const stops: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const undo of stops.splice(0).reverse()) await undo()
  }
  const keep = <Started extends { stop(): Promise<unknown> }>(started: Started): Started => {
    stops.push(() => started.stop())
    return started
  }
  try {
    const entry = fileURLToPath(new URL('./targets/router-backend.ts', import.meta.url))
    const backend = keep(await startServer({ entry }))
    const redis = keep(await startRedis())
    await pinRoom(redis.url, backend.http)
    const profiling = profileFolder ? { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profileFolder}` } : {}
    const router = keep(await startRouter({ redisUrl: redis.url, env: profiling }))
    const proxies: Way[] = [
      { name: 'direct', address: backend.http, cpuMicros: () => 0, stop: async () => undefined },
      {
        name: 'Atrium',
        address: router.http,
        cpuMicros: () => cpuMicrosOf(router.pid),
        stop: async () => undefined,
      },
    ]
    for (const kind of ['nginx', 'nginx + Lua'] satisfies NginxKind[]) {
      const nginx = await startNginx({ kind, backend: backend.http, redisUrl: redis.url })
      if (nginx) proxies.push(keep(nginx))
    }
    return { proxies, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function pinRoom(redisUrl: string, address: string): Promise<void> {
  const redis = connectRedis(redisUrl, () => undefined)
  await untilConnected(redis, 5_000)
  const lease = { address, draining: false, maxRooms: 20, maxParticipants: 80 }
  await redis.set(keys.podLease('pod-bench'), JSON.stringify(lease))
  const assignment = { podId: 'pod-bench', participantCount: 4, assignedAt: Date.now() }
  await redis.set(keys.roomPod(benchRoom), JSON.stringify(assignment))
  redis.disconnect()
}
