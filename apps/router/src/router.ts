import { connectRedis, type Logger, openTracing, untilConnected } from '@atrium/program'
import packageJson from '../package.json' with { type: 'json' }
import type { Config } from './config.ts'
import { createBackendNames } from './directory/backend-names.ts'
import { createBackends } from './directory/backends.ts'
import { watchPods } from './directory/pods.ts'
import { createRooms, subscribeToRoomMoves } from './directory/rooms.ts'
import { createFrontServer } from './front/server.ts'
import { createClientAddressOf } from './http/client-address.ts'
import { defaultLimits, type Limits } from './limits/limits.ts'
import { createMetrics } from './metrics.ts'
import { createForward } from './proxy/forward.ts'
import { createPools } from './proxy/pools.ts'
import { createUpgrades } from './proxy/upgrades.ts'
import { createRouting } from './routing/routing.ts'

const { version } = packageJson

/** A router that starts before Redis waits this long for it, then starts without it. */
const redisStartupWaitMs = 2_000
/** How often idle connections are closed while the router stops. */
const sweepEveryMs = 50

export type Router = Awaited<ReturnType<typeof buildRouter>>

export async function buildRouter(config: Config, logger: Logger, limits: Limits = defaultLimits) {
  const onRedisError = (err: Error) => logger.warn({ err }, 'redis unavailable')
  const redis = connectRedis(config.redisUrl, onRedisError)
  const subscriber = connectRedis(config.redisUrl, onRedisError)
  await untilConnected(redis, redisStartupWaitMs)

  const tracing = await openTracing(config.tracing, {
    service: 'atrium-router',
    version,
    onTrouble: (err) =>
      err
        ? logger.warn({ err }, 'traces cannot be exported; they are dropped')
        : logger.info('traces are exported again'),
  })
  const now = () => performance.now()
  const metrics = createMetrics()
  const backendNames = createBackendNames(config.backends ?? [], config.namedBackends)
  const pods = watchPods({ redis, originByName: backendNames.find, now })
  const rooms = createRooms({
    get: (key) => redis.get(key),
    isRedisUp: pods.isRedisUp,
    now,
    count: metrics.lookup,
    cacheMs: limits.roomCacheMs,
  })

  let openOrigins: readonly string[] = config.backends ?? []
  const backends = createBackends(() => openOrigins, now)
  const pools = createPools(limits, now)
  const onUnreachable = (origin: string, err: Error, reqId: string) => {
    if (backends.failed(origin)) logger.warn({ err, origin, reqId }, 'backend unreachable')
  }
  const upgrades = createUpgrades({ limits, metrics, onUnreachable })
  let previousOrigins: string[] = []
  pods.onRefresh(() => {
    openOrigins = config.backends?.filter((origin) => !pods.isDraining(origin)) ?? pods.openOrigins()
    const origins = pods.origins()
    const known = new Set([...origins, ...(config.backends ?? []), ...(config.web ? [config.web] : [])])
    pools.keepOnly(known)
    // Only instances missing twice in a row: after Redis lost its data, instances need a moment to renew their leases.
    upgrades.keepOnly(new Set([...known, ...previousOrigins]))
    previousOrigins = origins
  })
  const routing = createRouting({ rooms, pods, backends, web: config.web })
  const onDefect = (err: unknown, reqId?: string) => logger.error({ err, reqId }, 'request failed')
  async function followRoom(roomId: string): Promise<void> {
    rooms.forget(roomId)
    if (!upgrades.hasRoom(roomId)) return
    const route = await routing.routeTo({ kind: 'room', roomId, isPage: false }, false)
    const [origin] = route.kind === 'forward' && route.target === 'room' ? route.origins : []
    if (origin !== undefined) upgrades.moveRoom(roomId, origin)
  }
  subscribeToRoomMoves(subscriber, (roomId) => void followRoom(roomId).catch(onDefect))
  await Promise.all([pods.start(), backendNames.start()])
  let isStopping = false
  const server = createFrontServer({
    routing,
    forward: createForward(pools, limits.bodyStartTimeoutMs, onUnreachable),
    upgrades,
    clientAddressOf: createClientAddressOf(config.trustProxy),
    metrics,
    logger,
    tracing,
    limits,
    isStopping: () => isStopping,
    health: () => ({
      status: isStopping ? 'stopping' : backends.count() > 0 ? 'ok' : 'degraded',
      backends: backends.count(),
      redis: pods.isRedisUp() ? 'up' : 'down',
    }),
    onDefect,
  })

  return {
    server,
    metrics,
    /** Accepts nothing new and lets requests in progress finish, up to the time limit. */
    async stop(): Promise<void> {
      isStopping = true
      const closed = new Promise((resolve) => server.close(resolve))
      const sweep = setInterval(() => server.closeIdleConnections(), sweepEveryMs)
      const cut = setTimeout(() => {
        server.closeAllConnections()
        upgrades.closeAll()
      }, limits.stopTimeoutMs)
      await closed
      clearInterval(sweep)
      clearTimeout(cut)
      pods.stop()
      backendNames.stop()
      subscriber.disconnect()
      redis.disconnect()
      pools.destroy()
      await tracing?.stop()
    },
  }
}
