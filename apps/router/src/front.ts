import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { badRequest, type Refusal, refuse, sendJson } from './answer.ts'
import { replyToClientErrors } from './client-error.ts'
import { destinationOf, originForm } from './destination.ts'
import type { Limits } from './limits.ts'
import { endAfterRequest, lingerMs } from './linger.ts'
import type { Metrics, Target } from './metrics.ts'
import type { NameClient } from './proxy/client-address.ts'
import type { Forward } from './proxy/forward.ts'
import { requestHeaders } from './proxy/headers.ts'
import type { Upgrades } from './proxy/upgrade.ts'
import type { Routing } from './routing.ts'

interface FrontParts {
  routing: Routing
  forward: Forward
  upgrades: Upgrades
  nameClient: NameClient
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

/** The side that clients see: reads what they ask, and has it answered. */
export function createFront(parts: FrontParts): Server {
  const { routing, forward, upgrades, nameClient, metrics, limits } = parts

  async function answer(exchange: Exchange): Promise<void> {
    const { request, response, expectsContinue } = exchange
    const asked = askedOf(request)
    if (asked.kind === 'malformed') return refuse(response, '', asked.refusal)
    const { path } = asked
    const destination = destinationOf(path)
    if (destination.kind === 'router')
      return sendJson(response, parts.isStopping() ? 503 : 200, parts.health())
    if (destination.kind === 'ready' && parts.isStopping()) return refuse(response, path, stopping)
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
        const headers = requestHeaders(request, nameClient)
        return await forward({ request, response, path, headers, expectsContinue }, route.origins)
      }
    }
  }

  function onRequest(request: IncomingMessage, response: ServerResponse, expectsContinue = false): void {
    const startedAt = performance.now()
    const exchange: Exchange = { request, response, expectsContinue, target: 'none' }
    if (parts.isStopping()) response.shouldKeepAlive = false
    response.on('close', () => {
      const status = response.headersSent ? response.statusCode : clientLeft
      metrics.answered(exchange.target, status, (performance.now() - startedAt) / 1000)
    })
    answer(exchange).catch((error: unknown) => {
      parts.onDefect(error)
      refuse(response, request.url ?? '', { code: 'INTERNAL' })
    })
  }

  async function onUpgrade(request: IncomingMessage, client: Socket, head: Buffer): Promise<void> {
    // Node no longer watches over this socket. Its close follows an error, and is what we act upon.
    client.on('error', () => undefined)
    client.setTimeout(0)
    const asked = askedOf(request)
    const path = asked.kind === 'sound' ? asked.path : ''
    const destination = destinationOf(path)
    const roomId = destination.kind === 'room' ? destination.roomId : undefined
    const crossing = { request, client, head, path, roomId, headers: requestHeaders(request, nameClient) }
    if (asked.kind === 'malformed') return upgrades.refuse(crossing, asked.refusal)
    if (destination.kind === 'router') return upgrades.refuse(crossing, { code: 'NOT_FOUND' })
    if (parts.isStopping()) return upgrades.refuse(crossing, stopping)
    const route = await routing.routeTo(destination, false)
    if (route.kind === 'forward') return await upgrades.pass(crossing, route.origins)
    const why = route.kind === 'unavailable' ? { message: route.why } : {}
    upgrades.refuse(crossing, { code: 'UNAVAILABLE', ...why })
  }

  const server = createServer({
    // A missing Host is refused in `askedOf`: Node's own refusal has no body.
    requireHostHeader: false,
    headersTimeout: 10_000,
    connectionsCheckingInterval: 1_000,
    // An upload may take an hour; what stands still is cut by the time-out below.
    requestTimeout: 0,
    keepAliveTimeout: keepAliveMs,
    noDelay: true,
    // Anything else (h2c) is offered, not demanded: the request is answered without it.
    shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket',
  })
  // Above the wait for an answer, so that whoever waits for one hears 504 and is not cut off.
  server.timeout = limits.answerMs + lingerMs
  server.on('request', (request, response) => onRequest(request, response))
  server.on('checkContinue', (request, response) => onRequest(request, response, true))
  server.on('checkExpectation', (request, response) => onRequest(request, response))
  server.on('upgrade', (request, client: Socket, head) => {
    onUpgrade(request, client, head).catch((error: unknown) => {
      parts.onDefect(error)
      client.destroy()
    })
  })
  replyToClientErrors(server)
  return server
}

/** The status in the metrics of who left before there was one. */
const clientLeft = 499

const wantsPage = ({ method, headers }: IncomingMessage): boolean =>
  (method === 'GET' || method === 'HEAD') && (headers.accept?.includes('text/html') ?? false)

type Asked = { kind: 'sound'; path: string } | { kind: 'malformed'; refusal: Refusal }

function askedOf({ url, headers, httpVersion }: IncomingMessage): Asked {
  const path = originForm(url ?? '')
  if (path === undefined) return { kind: 'malformed', refusal: badRequest('has an address that is no path') }
  if (headers.host === undefined && httpVersion === '1.1')
    return { kind: 'malformed', refusal: badRequest('has no Host header') }
  // Only chunks are unpacked here; any other coding would be lost on the way.
  if (!/^(chunked)?$/i.test(headers['transfer-encoding'] ?? ''))
    return { kind: 'malformed', refusal: badRequest('has a Transfer-Encoding other than chunked') }
  return { kind: 'sound', path }
}
