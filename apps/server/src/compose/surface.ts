import { inSpan } from '@atrium/program'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/config.ts'
import { createClientAddress, createPeerTrust } from '../http/client-address.ts'
import type { Metrics } from '../http/metrics.ts'
import { createOwnHosts, type IsOwnHost } from '../http/own-hosts.ts'
import { createHttp } from '../http/server.ts'
import { signInOrigins, uploadOrigins } from '../http/web/policy.ts'
import type { WebPages } from '../http/web/web-pages.ts'
import { AppError } from '../kernel/app-error.ts'
import type { ExperimentAccesses } from '../modules/experiments/index.ts'
import type { DevelopmentIssuer, IdentityCheck } from '../modules/identity/index.ts'
import type { Sessions } from '../modules/sessions/index.ts'
import type { OnDefect } from '../realtime/acknowledge.ts'
import { createHandshakes, type OnDecided } from '../realtime/handshake.ts'
import { watchSessions } from '../realtime/session-watch.ts'
import { createShares } from '../realtime/shares.ts'
import { createSocketServer } from '../realtime/socket-server.ts'
import type { Outside, SocketEdge } from './outside.ts'
import type { Ports } from './ports.ts'

interface SurfacePeers {
  identities: IdentityCheck
  issuer: DevelopmentIssuer | undefined
  sessions: Sessions
  accesses: ExperimentAccesses
  metrics: Metrics
}

export interface Surface {
  http: FastifyInstance
  close(): Promise<void>
}

/** Everything that can be reached from outside: the routes and the socket namespaces of these modules. */
export function openSurface(ports: Ports, peers: SurfacePeers, modules: readonly Outside[]): Surface {
  const { config } = ports
  const { identities, sessions, accesses, metrics } = peers
  const isOwnHost = ownHostsOf(config, peers.issuer)
  const { app, routes } = createHttp({
    ...config,
    ...ports,
    ...{ identities, sessions, accesses, metrics, isOwnHost },
    internalKeys: config.video.internalKeys,
    web: webPagesOf(config),
    onlyPod: config.horizontalScaling ? undefined : config.pod.id,
  })
  for (const module of modules) module.routes?.({ app, routes })
  const { edge, close } = openSockets(app.server, isOwnHost, ports, peers)
  for (const module of modules) module.sockets?.(edge)
  const stopWatching = watchSessions({
    io: edge.personHandshakes.io,
    sessions,
    bus: ports.bus,
    except: ['/waiting', '/console'],
    onError: ports.onBackgroundError,
  })
  return {
    http: app,
    async close() {
      stopWatching()
      close()
      await app.close()
    },
  }
}

function openSockets(
  server: FastifyInstance['server'],
  isOwnHost: IsOwnHost | undefined,
  { config, limiter, tracing, logger, onBackgroundError }: Ports,
  { sessions, metrics }: SurfacePeers,
): { edge: SocketEdge; close(): void } {
  const shares = createShares()
  const onDefect: OnDefect = (err, handshake) =>
    handshake ? logger.error({ ...handshake, err }, 'action failed') : onBackgroundError(err)
  const onDecided: OnDecided = (handshake, err) => {
    if (err === undefined) logger.debug(handshake, 'socket admitted')
    else if (err instanceof AppError) logger.debug({ ...handshake, code: err.code }, 'socket refused')
    else logger.error({ ...handshake, err }, 'handshake failed')
  }
  const { io, door, close } = createSocketServer({
    server,
    shares,
    isOwnHost,
    publicUrl: config.publicUrl,
    pageOrigins: config.pageOrigins,
    metrics: metrics.sockets,
    addressOf: createClientAddress(config.trustProxy),
    onDecided,
  })
  const handshakes = createHandshakes({
    ...{ io, door, sessions, shares, limiter, onDecided },
    onOtherBrowser: (handshake) => logger.warn(handshake, 'session used by another browser; refused'),
  })
  const closing: (() => void)[] = []
  return {
    edge: {
      handshakes,
      personHandshakes: { io, door, shares, limiter, onDecided },
      around: tracing && ((name, act) => inSpan(tracing, [`action ${name}`, { isRoot: true }], act)),
      onDefect,
      onClose: (close) => void closing.push(close),
    },
    close() {
      for (const closeOne of closing) closeOne()
      close()
    },
  }
}

/** H1: undefined with an identity provider, because then a name gives nobody any rights. */
function ownHostsOf(config: Config, issuer: DevelopmentIssuer | undefined): IsOwnHost | undefined {
  if (!issuer) return undefined
  const configured = [config.publicUrl, ...config.pageOrigins, config.host, config.pod.ip]
  return createOwnHosts({ configured, isFromProxy: createPeerTrust(config.trustProxy) })
}

function webPagesOf({ webDir, oidc, objectStore, video }: Config): WebPages | undefined {
  if (webDir === undefined) return undefined
  const store = { endpoint: undefined, forcePathStyle: true, ...objectStore, bucket: video.bucket }
  return { folder: webDir, connectTo: signInOrigins(oidc?.issuer), uploadTo: uploadOrigins(store) }
}
