import { randomBytes } from 'node:crypto'
import { envelopeKindOf, limits } from '@atrium/contract'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { AppError } from '../kernel/app-error.ts'
import { createClientErrorReply } from './client-error.ts'
import { replyWithError } from './error-reply.ts'
import { createGate, type GateParts } from './gate.ts'
import type { Metrics } from './metrics.ts'
import { createRoutes, type Routes } from './route.ts'

export interface HttpParts extends GateParts {
  logger: FastifyBaseLogger
  metrics: Metrics
  trustProxy: boolean | number | string
  /** R3: off means that v4 addresses are served by v3. */
  useV4: boolean
}

/** A megabyte at 1 Mbit/s takes 8.4 s; who is slower than twice that is cut off. */
const requestTimeoutMs = 17_000

export function createHttp(parts: HttpParts): { app: FastifyInstance; routes: Routes } {
  const clientErrors = createClientErrorReply()
  const app = Fastify({
    loggerInstance: parts.logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: limits.bodyBytes,
    trustProxy: asTrustProxy(parts.trustProxy),
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    // While it stops, a request that still arrives is answered, not refused; its connection is closed after it.
    return503OnClosing: false,
    requestTimeout: requestTimeoutMs,
    // Without the check interval Node looks at slow requests only every 30 s.
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 1_000 },
    genReqId: requestIds(),
    // Nobody types these keys; refusing them says more than dropping them would.
    onProtoPoisoning: 'error',
    onConstructorPoisoning: 'error',
    rewriteUrl: (request) => rewrite(request.url ?? '/', parts.useV4),
    clientErrorHandler: (error, socket) => clientErrors.reply(error, socket),
    frameworkErrors: (error, request, reply) => void replyWithError(error, request, reply),
  })
  const gate = createGate(parts)
  app.addHook('onRequest', async (request, reply) => {
    clientErrors.remember(request.raw.socket, request.url)
    reply.header('x-request-id', request.id)
    reply.header('x-content-type-options', 'nosniff')
    reply.header('cache-control', 'no-store')
  })
  app.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions } = request
    const ms = Math.round(reply.elapsedTime)
    request.log.debug({ method, route: routeOptions.url, status: reply.statusCode, ms }, 'answered')
  })
  app.setErrorHandler(replyWithError)
  app.setNotFoundHandler(async (request, reply) => {
    if (envelopeKindOf(request.url) === 'participant') await gate.showAddressLimit(request, reply)
    throw new AppError('NOT_FOUND')
  })
  parts.metrics.observe(app)
  return { app, routes: createRoutes(app, gate) }
}

/** A number counts the proxies in front of us; Fastify asks hop by hop. */
const asTrustProxy = (setting: boolean | number | string) =>
  typeof setting === 'number' ? (_address: string, hop: number) => hop < setting : setting

const rewrite = (url: string, useV4: boolean): string =>
  useV4 ? url : url.replace(/^\/api\/v4\/participant(?=[/?]|$)/, '/api/v3/participant')

/** A caller may bring an id of its own to follow a request through several systems, if it is harmless. */
function requestIds(): (request: { headers: Record<string, unknown> }) => string {
  const prefix = randomBytes(4).toString('hex')
  let count = 0
  return ({ headers }) => {
    const brought = headers['x-request-id']
    return typeof brought === 'string' && /^[\w-]{1,64}$/.test(brought)
      ? brought
      : `${prefix}-${(++count).toString(36)}`
  }
}
