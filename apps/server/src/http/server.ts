import { randomBytes } from 'node:crypto'
import { envelopeKindOf, limits } from '@atrium/contract'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { AppError, validationFailed } from '../kernel/app-error.ts'
import type { ExperimentAccesses } from '../modules/experiments/index.ts'
import { asTrustProxy, type TrustProxy } from './client-address.ts'
import { createClientErrorReply } from './client-error.ts'
import { endConnectionsOnClose } from './end-connections.ts'
import { replyWithError } from './error-reply.ts'
import { createGate, type GateParts } from './gate.ts'
import type { Metrics } from './metrics.ts'
import { createRoutes, type Routes } from './route.ts'
import { addRoomPage } from './web/room-page.ts'
import { addWebPages, sendNotFoundPage, type WebPages, wantsPage } from './web/web-pages.ts'

export interface HttpParts extends GateParts {
  logger: FastifyBaseLogger
  metrics: Metrics
  accesses: ExperimentAccesses
  trustProxy: TrustProxy
  /** R3: off means that v4 addresses are served by v3. */
  useV4: boolean
  /** Undefined where the web app is not built, or is served by others. */
  web: WebPages | undefined
  /** The name of this instance when it is alone. */
  onlyPod: string | undefined
}

/** A megabyte at 1 Mbit/s takes 8.4 s; who is slower than twice that is cut off. */
const requestTimeoutMs = 17_000

export function createHttp(parts: HttpParts): { app: FastifyInstance; routes: Routes } {
  const newRequestId = requestIds()
  const clientErrors = createClientErrorReply(() => newRequestId({ headers: {} }), parts.clock)
  const gate = createGate(parts)
  const { web } = parts
  const app = Fastify({
    loggerInstance: parts.logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: limits.bodyBytes,
    trustProxy: asTrustProxy(parts.trustProxy),
    forceCloseConnections: 'idle',
    // While it stops, a request that still arrives is answered, not refused; its connection is closed after it.
    return503OnClosing: false,
    requestTimeout: requestTimeoutMs,
    // Without the check interval Node looks at slow requests only every 30 s.
    // A missing Host is refused below: Node's own refusal has no body.
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 1_000, requireHostHeader: false },
    // Headers end at 16 KiB, so no parameter is longer; the route says what it thinks of a long one.
    routerOptions: { maxParamLength: 16_384 },
    genReqId: newRequestId,
    // Nobody types these keys; refusing them says more than dropping them would.
    onProtoPoisoning: 'error',
    onConstructorPoisoning: 'error',
    rewriteUrl: (request) => rewrite(request.url ?? '/', parts.useV4),
    clientErrorHandler: (error, socket) => clientErrors.reply(error, socket),
    // Requests that cannot be routed run no hooks.
    frameworkErrors: async (error, request, reply) => {
      writeCommonHeaders(request, reply)
      await showLimit(request, reply)
      await replyWithError(error, request, reply)
    },
  })
  clientErrors.watch(app.server)
  // Node answers an Expect other than 100-continue with an empty 417; it may be ignored just as well.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))

  async function showLimit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (envelopeKindOf(request.url) === 'participant') await gate.showAddressLimit(request, reply)
  }

  async function answerNotFound(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    await showLimit(request, reply)
    if (!web || !wantsPage(request)) throw new AppError('NOT_FOUND')
    return sendNotFoundPage(reply, web)
  }

  app.addHook('onRequest', async (request, reply) => {
    writeCommonHeaders(request, reply)
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1') {
      await showLimit(request, reply)
      throw validationFailed([{ path: '', message: 'has no Host header' }])
    }
    // Before its body is read: nobody wants it, and it may never come.
    return request.is404 ? await answerNotFound(request, reply) : undefined
  })
  app.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions } = request
    const ms = Math.round(reply.elapsedTime)
    request.log.debug({ method, route: routeOptions.url, status: reply.statusCode, ms }, 'answered')
  })
  app.setErrorHandler(replyWithError)
  app.setNotFoundHandler(answerNotFound)
  addRoomPage(app, parts.onlyPod)
  if (web) addWebPages(app, web)
  else app.get('/', (_request, reply) => reply.redirect('/api/docs', 302))
  parts.metrics.observe(app)
  endConnectionsOnClose(app)
  return { app, routes: createRoutes(app, gate, parts.accesses) }
}

function writeCommonHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id)
  reply.header('x-content-type-options', 'nosniff')
  reply.header('cache-control', 'no-store')
}

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
