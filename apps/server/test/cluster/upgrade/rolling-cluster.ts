import { randomBytes } from 'node:crypto'
import {
  createTestDatabase,
  type Server,
  startRedis,
  startRouter,
  startServer,
  waitUntil,
} from '@atrium/testkit'
import { expect } from 'vitest'
import { queryPostgres } from '../../stores/engines.ts'
import { startBalancer } from './balancer.ts'

/** Which programs an instance runs: this version's own if their entries are absent. */
export interface Release {
  readonly version: string
  readonly server?: string
  readonly router?: string
}

export type RollingCluster = Awaited<ReturnType<typeof startRollingCluster>>

/** Pods and routers whose programs are replaced one by one, as a StatefulSet and a Deployment do it. */
export async function startRollingCluster(sizes: { pods: number; routers: number }, first: Release) {
  const databaseUrl = await createTestDatabase()
  const redis = await startRedis()
  const stops: (() => Promise<unknown>)[] = [redis.stop]
  const shared = {
    HORIZONTAL_SCALING_ENABLED: 'true',
    DATABASE_URL: databaseUrl,
    REDIS_URL: redis.url,
    SESSION_SECRET: randomBytes(32).toString('base64url'),
    DATABASE_PATIENCE_MS: '20000',
    REDIS_PATIENCE_MS: '5000',
  }
  const pods: { server: Server; release: Release }[] = []
  const routers: Server[] = []
  const ready = new Set<Server>()
  let replacements = 0

  const startPod = async (index: number, release: Pick<Release, 'server'>): Promise<Server> => {
    const env = { ...shared, POD_NAME: `pod-${index}` }
    const server = await startServer({ env, ...(release.server && { entry: release.server }) })
    await isReady(server)
    return server
  }
  const beginRouter = async (release: Release): Promise<Server> => {
    const router = await startRouter({
      redisUrl: redis.url,
      ...(release.router && { entry: release.router }),
    })
    await isReady(router)
    return router
  }

  const hasRooms = (index: number) =>
    waitUntil(async () => {
      const open = `select room_id from rooms where pod_id = 'pod-${index}' and closed_at is null and resting_since is null`
      return (await queryPostgres(databaseUrl, open)).length > 0 || `no rooms on pod-${index}`
    })

  for (let index = 0; index < sizes.pods; index++)
    pods.push({ server: await startPod(index, first), release: first })
  for (let index = 0; index < sizes.routers; index++) {
    routers.push(await beginRouter(first))
    ready.add(routers[index] as Server)
  }
  const balancer = await startBalancer(() => [...ready].map(({ http }) => Number(new URL(http).port)))
  stops.push(async () => {
    for (const { server } of pods) await server.stop()
    for (const router of routers) await router.stop()
    await balancer.stop()
  })

  return {
    databaseUrl,
    http: balancer.http,
    pods: sizes.pods,
    routers: sizes.routers,
    replacements: () => replacements,
    /** The release that runs, or was running last, under this name. */
    releaseOf: (podName: string) => pods[Number(podName.slice('pod-'.length))]?.release.version,
    /** SIGTERM while rooms are played there, then the other program under the same name. Resolves when it is ready. */
    async replacePod(index: number, release: Release): Promise<void> {
      await hasRooms(index)
      const leaving = pods[index]
      expect(await leaving?.server.stop()).toBe(0)
      pods[index] = { server: await startPod(index, release), release }
      replacements++
    },
    /** The new one is ready before the old one stops (`maxUnavailable: 0`). */
    async replaceRouter(index: number, release: Release): Promise<void> {
      const leaving = routers[index]
      const arriving = await beginRouter(release)
      routers[index] = arriving
      ready.add(arriving)
      if (leaving) ready.delete(leaving)
      expect(await leaving?.stop()).toBe(0)
      replacements++
    },
    /** One more instance, of this version, for those who read the results. Resolves with its address. */
    async startReader(): Promise<string> {
      const reader = await startPod(sizes.pods, {})
      stops.push(reader.stop)
      return reader.http
    },
    async stop(): Promise<void> {
      for (const undo of stops.splice(0).reverse()) await undo()
    },
  }
}

async function isReady({ http }: Server): Promise<void> {
  await waitUntil(async () => {
    const { status } = await fetch(`${http}/health/ready`)
    return status === 200 || `${status}`
  })
}
