import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { ClientAddress, ClientAddressOf } from '../http/client-address.ts'
import { replyToClientErrors } from '../http/client-error.ts'
import { framingFault } from '../http/framing.ts'
import { requestHeaders } from '../http/headers.ts'
import { endAfterRequest, lingerMs } from '../http/linger.ts'
import { createPipelines } from '../http/pipeline.ts'
import {
  badRequest,
  lastResponseOn,
  type Refusal,
  refuse,
  refuseAndClose,
  refuseAtOnce,
  sendJson,
} from '../http/response.ts'
import { createAddressLimit } from '../limits/address-limit.ts'
import type { Limits } from '../limits/limits.ts'
import type { Metrics, Target } from '../metrics.ts'
import type { Forward } from '../proxy/forward.ts'
import type { Upgrades } from '../proxy/upgrades.ts'
import { type Destination, destinationOf, originForm } from '../routing/destination.ts'
import type { Routing } from '../routing/routing.ts'

interface FrontDeps {
  routing: Routing
  forward: Forward
  upgrades: Upgrades
  clientAddressOf: ClientAddressOf
  metrics: Metrics
  limits: Limits
  isStopping(): boolean
  health(): { status: string; backends: number; redis: 'up' | 'down' }
  onDefect(error: unknown): void
}

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  expectsContinue: boolean
  /** Who answers, as the metrics name it. */
  target: Target
}

/** Longer than the idle time of usual load balancers, so that it is they who close. */
const keepAliveMs = 75_000
const stopping: Refusal = { code: 'UNAVAILABLE', message: 'This router is stopping.' }
const busy: Refusal = {
  code: 'UNAVAILABLE',
  message: 'Too many requests from your address are under way. Try again shortly.',
}

/** The side that clients see: reads what they ask, and has it answered. */
export function createFront(deps: FrontDeps): Server {
  const { routing, forward, upgrades, clientAddressOf, metrics, limits } = deps
  const addresses = createAddressLimit(limits.perAddress)
  const pipelines = createPipelines()

  async function answer(exchange: Exchange): Promise<void> {
    const { request, response } = exchange
    const path = originForm(request.url ?? '') ?? ''
    const fault = framingFault(request)
    if (fault !== undefined) return refuseAndClose(response, path, badRequest(fault))
    const destination = destinationOf(path)
    if (destination.kind === 'router') return sendJson(response, deps.isStopping() ? 503 : 200, deps.health())
    if (destination.kind === 'ready' && deps.isStopping()) return refuse(response, path, stopping)
    const client = clientAddressOf(request)
    const isTurn = addresses.enter(client.network, response)
    if (isTurn !== true && !(await isTurn)) return refuse(response, path, busy)
    try {
      await answerFrom(exchange, destination, path, client)
    } finally {
      addresses.leave(client.network)
    }
  }

  async function answerFrom(
    exchange: Exchange,
    destination: Exclude<Destination, { kind: 'router' }>,
    path: string,
    client: ClientAddress,
  ): Promise<void> {
    const { request, response, expectsContinue } = exchange
    const route = await routing.routeTo(destination, wantsPage(request))
    switch (route.kind) {
      case 'unavailable':
        return refuse(response, path, { code: 'UNAVAILABLE', message: route.why })
      case 'redirect':
        exchange.target = 'redirect'
        response.writeHead(302, { location: route.location, 'cache-control': 'no-store' })
        return endAfterRequest(response)
      case 'forward': {
        exchange.target = route.target
        const headers = requestHeaders(request, client)
        const { network } = client
        return await forward({ request, response, path, network, headers, expectsContinue }, route.origins)
      }
    }
  }

  function handle(request: IncomingMessage, response: ServerResponse, expectsContinue: boolean): void {
    const startedAt = performance.now()
    const exchange: Exchange = { request, response, expectsContinue, target: 'none' }
    if (deps.isStopping()) response.shouldKeepAlive = false
    response.on('close', () => {
      const status = response.headersSent ? response.statusCode : clientLeft
      metrics.answered(exchange.target, status, (performance.now() - startedAt) / 1000)
    })
    answer(exchange).catch((error: unknown) => {
      deps.onDefect(error)
      refuse(response, request.url ?? '', { code: 'INTERNAL' })
    })
  }
  const onRequest = (request: IncomingMessage, response: ServerResponse) =>
    pipelines.take(request, response, (first, its) => handle(first, its, false))
  const onContinue = (request: IncomingMessage, response: ServerResponse) =>
    pipelines.take(request, response, (first, its) => handle(first, its, true))

  async function onUpgrade(request: IncomingMessage, client: Socket, head: Buffer): Promise<void> {
    // Node no longer watches over this socket. Its close follows an error, and is what we act upon.
    client.on('error', () => undefined)
    client.setTimeout(0)
    // An answer to a former request is still to come, and would come in the middle of the socket.
    if (pipelines.isBusy(client)) return void client.destroy()
    const path = originForm(request.url ?? '') ?? ''
    const fault = framingFault(request)
    if (fault !== undefined) return upgrades.refuse({ request, client, path }, badRequest(fault))
    if (!socketPath.test(path)) return upgrades.refuse({ request, client, path }, { code: 'NOT_FOUND' })
    if (deps.isStopping()) return upgrades.refuse({ request, client, path }, stopping)
    const sender = clientAddressOf(request)
    const isTurn = addresses.enter(sender.network, client)
    if (isTurn !== true && !(await isTurn)) return upgrades.refuse({ request, client, path }, busy)
    try {
      const destination = destinationOf(path)
      const room = destination.kind === 'room' ? destination : undefined
      const upgrade = {
        request,
        client,
        head,
        path,
        roomId: room?.roomId,
        headers: requestHeaders(request, sender),
      }
      const route = await routing.routeTo(room ?? { kind: 'backend' }, false)
      if (route.kind === 'forward') return await upgrades.pass(upgrade, route.origins)
      const why = route.kind === 'unavailable' ? { message: route.why } : {}
      upgrades.refuse(upgrade, { code: 'UNAVAILABLE', ...why })
    } finally {
      addresses.leave(sender.network)
    }
  }

  const server = createServer({
    // A missing Host is refused as every other ambiguity is: Node's own refusal has no body.
    requireHostHeader: false,
    // Said once more, because everything here relies on it: no leniency, whatever the command line says.
    insecureHTTPParser: false,
    headersTimeout: 10_000,
    connectionsCheckingInterval: 1_000,
    // An upload may take an hour; what stands still is cut by the time-out below.
    requestTimeout: 0,
    keepAliveTimeout: keepAliveMs,
    noDelay: true,
    // Any other protocol is refused as a request, for what it asks.
    shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket',
  })
  // Above the wait for an answer, so that whoever waits for one hears 504 and is not cut off.
  server.timeout = limits.answerMs + lingerMs
  server.on('request', onRequest)
  server.on('checkContinue', onContinue)
  server.on('checkExpectation', onRequest)
  server.on('connect', (request, client: Socket) => {
    client.on('error', () => undefined)
    if (pipelines.isBusy(client)) client.destroy()
    else refuseAtOnce(lastResponseOn(request, client), '', badRequest(framingFault(request) ?? ''))
  })
  server.on('upgrade', (request, client: Socket, head) => {
    onUpgrade(request, client, head).catch((error: unknown) => {
      deps.onDefect(error)
      client.destroy()
    })
  })
  replyToClientErrors(server)
  return server
}

/** The status in the metrics of a client that left before there was one. */
const clientLeft = 499

/** The only address that becomes a socket. */
const socketPath = /^\/socket\.io\/(?:\?|$)/

const wantsPage = ({ method, headers }: IncomingMessage): boolean =>
  (method === 'GET' || method === 'HEAD') && (headers.accept?.includes('text/html') ?? false)
