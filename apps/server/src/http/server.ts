import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { envelopeKindOf, limits, requestIdHeader } from '@atrium/contract'
import type { Tracing } from '@atrium/program'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { AppError, validationFailed } from '../kernel/app-error.ts'
import { createRequestIds } from '../kernel/request-ids.ts'
import type { AccessCheck, Person, Session } from './caller.ts'
import { asTrustProxy, createPeerTrust, type TrustProxy } from './client-address.ts'
import { createClientErrorReply } from './client-error.ts'
import { replyWithError } from './error-reply.ts'
import { createGate, type GateDeps } from './gate.ts'
import { endLongBodies } from './long-bodies.ts'
import type { Metrics } from './metrics.ts'
import { type IsOwnHost, originForm } from './own-hosts.ts'
import { allowPageOrigins } from './page-origins.ts'
import { createRoutes, type Routes } from './route.ts'
import { traceRequests } from './trace-requests.ts'
import { addRoomPage, addWebPages, sendNotFoundPage, type WebPages, wantsPage } from './web/web-pages.ts'

export interface HttpDeps<KnownPerson extends Person, KnownSession extends Session>
  extends GateDeps<KnownPerson, KnownSession> {
  logger: FastifyBaseLogger
  metrics: Metrics
  accesses: AccessCheck<KnownPerson>
  trustProxy: TrustProxy
  /** Undefined: called by any name. */
  isOwnHost: IsOwnHost | undefined
  /** Sites whose pages may call the API, besides our own. */
  pageOrigins: ReadonlySet<string>
  /** R3: when off, v4 addresses are served by v3. */
  useV4: boolean
  /** Undefined when the web app is not built, or another program serves it. */
  web: WebPages | undefined
  /** The name of this instance if it is the only one. */
  onlyPod: string | undefined
  /** Undefined: no traces. */
  tracing: Tracing | undefined
}

/** A megabyte at 1 Mbit/s takes 8.4 s; clients slower than twice that are cut off. */
const requestTimeoutMs = 17_000

export function createHttp<KnownPerson extends Person, KnownSession extends Session>(
  deps: HttpDeps<KnownPerson, KnownSession>,
): { app: FastifyInstance; routes: Routes<KnownPerson, KnownSession> } {
  const newRequestId = createRequestIds()
  const clientErrors = createClientErrorReply(() => newRequestId({ headers: {} }), deps.clock)
  const gate = createGate(deps)
  const { web } = deps
  const app = Fastify({
    loggerInstance: deps.logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: limits.bodyBytes,
    trustProxy: asTrustProxy(deps.trustProxy),
    forceCloseConnections: 'idle',
    // Requests that arrive while the server stops are still answered; their connection is closed afterwards.
    return503OnClosing: false,
    requestTimeout: requestTimeoutMs,
    // By default Node looks for slow requests only every 30 s.
    // A missing Host is refused below: Node's own refusal has no body.
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 1_000, requireHostHeader: false },
    // Headers end at 16 KiB, so no parameter is longer; each route decides what is too long for it.
    routerOptions: { maxParamLength: 16_384 },
    genReqId: newRequestId,
    // Nobody sends these keys by accident, so they are refused instead of silently dropped.
    onProtoPoisoning: 'error',
    onConstructorPoisoning: 'error',
    rewriteUrl: (request) => rewrite(originForm(request.url ?? '/'), deps.useV4),
    clientErrorHandler: (error, socket) => clientErrors.reply(error, socket),
    // Hooks do not run for requests that cannot be routed.
    frameworkErrors: async (error, request, reply) => {
      writeCommonHeaders(request, reply)
      await showLimit(request, reply)
      await replyWithError(isMisdirected(request) ? new AppError('HOST_REFUSED') : error, request, reply)
    },
  })
  clientErrors.watch(app.server)
  endLongBodies(app.server)
  // Node answers any Expect but 100-continue with an empty 417. Ignoring the header is allowed too.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))

  /** Workers call us by whatever name their network has for us, and no page knows their key. */
  const isMisdirected = (request: FastifyRequest): boolean =>
    deps.isOwnHost?.(request.raw, request.originalUrl) === false && !gate.hasInternalKey(request)

  async function showLimit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (envelopeKindOf(request.url) === 'participant') await gate.showAddressLimit(request, reply)
  }

  async function answerNotFound(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    await showLimit(request, reply)
    if (!web || !wantsPage(request)) throw new AppError('NOT_FOUND')
    return sendNotFoundPage(reply, web)
  }

  if (deps.tracing) traceRequests(app, deps.tracing, createPeerTrust(deps.trustProxy))
  app.addHook('onRequest', async (request, reply) => writeCommonHeaders(request, reply))
  app.addHook('onRequest', async (request, reply) => {
    const hasNoHost = request.headers.host === undefined && request.raw.httpVersion === '1.1'
    if (!hasNoHost && !isMisdirected(request)) return
    await showLimit(request, reply)
    throw hasNoHost
      ? validationFailed([{ path: '', message: 'has no Host header' }])
      : new AppError('HOST_REFUSED')
  })
  // Before the refusals of the next hook: a preflight is a request that no route knows, and pages may read refusals too.
  allowPageOrigins(app, deps.pageOrigins)
  app.addHook('onRequest', async (request, reply) => {
    // Before the body is read: nobody needs it, and it may never arrive.
    return request.is404 ? await answerNotFound(request, reply) : undefined
  })
  app.addHook('onResponse', logAnswer)
  app.setErrorHandler(replyWithError)
  app.setNotFoundHandler(answerNotFound)
  addRoomPage(app, deps.onlyPod)
  if (web) addWebPages(app, web)
  else app.get('/', (_request, reply) => reply.redirect('/api/docs', 302))
  deps.metrics.observe(app)
  endConnectionsOnClose(app)
  return { app, routes: createRoutes(app, gate, deps.accesses) }
}

async function logAnswer({ method, routeOptions, log }: FastifyRequest, reply: FastifyReply): Promise<void> {
  const ms = Math.round(reply.elapsedTime)
  log.debug({ method, route: routeOptions.url, status: reply.statusCode, ms }, 'answered')
}

function writeCommonHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.header(requestIdHeader, request.id)
  reply.header('x-content-type-options', 'nosniff')
  reply.header('cache-control', 'no-store')
}

const rewrite = (url: string, useV4: boolean): string =>
  useV4 ? url : url.replace(/^\/api\/v4\/participant(?=[/?]|$)/, '/api/v3/participant')

/** How long a stop waits for requests under way; well below the time after which the process is killed. */
const patienceMs = 8_000

/**
 * Lets the server stop whatever its clients do. Node waits for every connection that is not idle, counts those as busy
 * that have never sent a complete request (browsers open some in advance), no longer looks for slow ones while closing,
 * and keeps connections alive whose request was under way, so that the stop would take all of its patience.
 */
function endConnectionsOnClose(app: FastifyInstance): void {
  /** The newest response on each connection; none where nothing was ever asked. */
  const newest = new Map<Socket, ServerResponse | undefined>()
  app.server.on('connection', (socket) => {
    newest.set(socket, undefined)
    socket.once('close', () => newest.delete(socket))
  })
  app.server.on('request', ({ socket }, response) => newest.set(socket, response))
  app.server.on('upgrade', ({ socket }) => newest.delete(socket))
  app.addHook('preClose', async () => {
    for (const [socket, response] of newest)
      if (response) response.shouldKeepAlive = false
      else socket.destroy()
    setTimeout(() => app.server.closeAllConnections(), patienceMs).unref()
  })
}
