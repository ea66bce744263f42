import { connectRedis, type Logger, untilConnected } from '@atrium/program'
import type { Config } from './config.ts'
import { nameBackends } from './directory/backend-names.ts'
import { createBackends } from './directory/backends.ts'
import { watchPods } from './directory/pods.ts'
import { hearMoves } from './directory/room-moves.ts'
import { createRooms } from './directory/rooms.ts'
import { createFront } from './front/server.ts'
import { createClientAddressOf } from './http/client-address.ts'
import { type Limits, usualLimits } from './limits/limits.ts'
import { createMetrics } from './metrics.ts'
import { createForward } from './proxy/forward.ts'
import { createPools } from './proxy/pools.ts'
import { createUpgrades } from './proxy/upgrades.ts'
import { createRouting } from './routing/routing.ts'

/** A router that starts before its Redis waits for it a little, and then starts without. */
const redisPatienceMs = 2_000
/** While it stops, connections that have nothing to say any more are looked for this often. */
const sweepEveryMs = 50

export type Router = Awaited<ReturnType<typeof buildRouter>>

export async function buildRouter(config: Config, logger: Logger, limits: Limits = usualLimits) {
  const onRedisError = (err: Error) => logger.warn({ err }, 'redis unavailable')
  const redis = connectRedis(config.redisUrl, onRedisError)
  const subscriber = connectRedis(config.redisUrl, onRedisError)
  await untilConnected(redis, redisPatienceMs)

  const now = () => performance.now()
  const metrics = createMetrics()
  const namedBackends = nameBackends(config.backends ?? [], config.namedBackends)
  const pods = watchPods({ redis, named: namedBackends.find, now })
  const rooms = createRooms({
    read: (key) => redis.get(key),
    isRedisUp: pods.isRedisUp,
    now,
    count: metrics.lookup,
    freshMs: limits.roomFreshMs,
  })

  let open: readonly string[] = config.backends ?? []
  const backends = createBackends(() => open, now)
  const pools = createPools(limits, now)
  const onUnreachable = (origin: string, err: Error) => {
    if (backends.failed(origin)) logger.warn({ err, origin }, 'backend unreachable')
  }
  const upgrades = createUpgrades({ limits, metrics, onUnreachable })
  let formerOrigins: string[] = []
  pods.onRefresh(() => {
    open = config.backends?.filter((origin) => !pods.isDraining(origin)) ?? pods.openOrigins()
    const origins = pods.origins()
    const known = new Set([...origins, ...(config.backends ?? []), ...(config.web ? [config.web] : [])])
    pools.keepOnly(known)
    // Missed twice: when Redis has forgotten everything, pods need a moment to say that they are alive.
    upgrades.keepOnly(new Set([...known, ...formerOrigins]))
    formerOrigins = origins
  })
  const routing = createRouting({ rooms, pods, backends, web: config.web })
  const onDefect = (err: unknown) => logger.error({ err }, 'request failed')
  async function follow(roomId: string): Promise<void> {
    rooms.forget(roomId)
    if (!upgrades.hasRoom(roomId)) return
    const route = await routing.routeTo({ kind: 'room', roomId, isPage: false }, false)
    const [origin] = route.kind === 'forward' && route.target === 'room' ? route.origins : []
    if (origin !== undefined) upgrades.moveRoom(roomId, origin)
  }
  hearMoves(subscriber, (roomId) => void follow(roomId).catch(onDefect))
  await Promise.all([pods.start(), namedBackends.start()])
  let isStopping = false
  const server = createFront({
    routing,
    forward: createForward(pools, limits.gatherMs, onUnreachable),
    upgrades,
    clientAddressOf: createClientAddressOf(config.trustProxy),
    metrics,
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
    /** Nothing new is taken; what is under way may finish, until the limit. */
    async stop(): Promise<void> {
      isStopping = true
      const closed = new Promise((resolve) => server.close(resolve))
      const sweep = setInterval(() => server.closeIdleConnections(), sweepEveryMs)
      const cut = setTimeout(() => {
        server.closeAllConnections()
        upgrades.closeAll()
      }, limits.stopMs)
      await closed
      clearInterval(sweep)
      clearTimeout(cut)
      pods.stop()
      namedBackends.stop()
      subscriber.disconnect()
      redis.disconnect()
      pools.destroy()
    },
  }
}
