import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { respondToClientErrors } from '../http/client-error.ts'
import { framingFault } from '../http/framing.ts'
import { requestIdOf } from '../http/headers.ts'
import { createPipelines } from '../http/pipeline.ts'
import { badRequest, closingResponse, lingerMs, refuseImmediately } from '../http/response.ts'
import { createAddressLimiter } from '../limits/limiter.ts'
import type { Limits } from '../limits/limits.ts'
import type { Upgrades } from '../proxy/upgrades.ts'
import { createRequestHandler, type RequestHandlerDeps } from './request-handler.ts'
import { createUpgradeHandler } from './upgrade-handler.ts'

interface FrontServerDeps extends Omit<RequestHandlerDeps, 'addressLimiter'> {
  upgrades: Upgrades
  limits: Limits
}

/** Longer than the idle timeout of common load balancers, so that they are the ones to close. */
const keepAliveMs = 75_000

/** The HTTP server that clients connect to. */
export function createFrontServer({ upgrades, limits, ...deps }: FrontServerDeps): Server {
  const { routing, clientAddressOf, isStopping } = deps
  const addressLimiter = createAddressLimiter(limits.perAddress)
  const pipelines = createPipelines()
  const handleRequest = createRequestHandler({ ...deps, addressLimiter })
  const handleUpgrade = createUpgradeHandler({
    routing,
    upgrades,
    clientAddressOf,
    addressLimiter,
    pipelines,
    isStopping,
  })

  const handlePlain = (request: IncomingMessage, response: ServerResponse) =>
    handleRequest(request, response, false)
  const handleExpecting = (request: IncomingMessage, response: ServerResponse) =>
    handleRequest(request, response, true)
  const onRequest = (request: IncomingMessage, response: ServerResponse) =>
    pipelines.handle(request, response, handlePlain)
  const onContinue = (request: IncomingMessage, response: ServerResponse) =>
    pipelines.handle(request, response, handleExpecting)

  const server = createServer({
    // We refuse a missing Host like any other ambiguity, because Node's own refusal has no body.
    requireHostHeader: false,
    // Stated explicitly because everything here relies on it, whatever the command line says.
    insecureHTTPParser: false,
    headersTimeout: 10_000,
    connectionsCheckingInterval: 1_000,
    // An upload may take an hour; one that stalls is cut by the timeout below.
    requestTimeout: 0,
    keepAliveTimeout: keepAliveMs,
    noDelay: true,
    // Upgrades to any other protocol are refused as ordinary requests.
    shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket',
  })
  // Longer than the wait for a backend, so that a waiting client receives 504 instead of being cut off.
  server.timeout = limits.responseTimeoutMs + lingerMs
  server.on('request', onRequest)
  server.on('checkContinue', onContinue)
  server.on('checkExpectation', onRequest)
  server.on('connect', (request, client: Socket) => {
    client.on('error', () => undefined)
    if (pipelines.isBusy(client)) client.destroy()
    else refuseImmediately(closingResponse(request, client), '', badRequest(framingFault(request) ?? ''))
  })
  server.on('upgrade', (request, client: Socket, head) => {
    const reqId = requestIdOf(request)
    handleUpgrade(request, client, head).catch((error: unknown) => {
      deps.onDefect(error, reqId)
      client.destroy()
    })
  })
  respondToClientErrors(server)
  return server
}
