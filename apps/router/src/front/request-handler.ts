import type { IncomingMessage, ServerResponse } from 'node:http'
import { assertNever } from '@atrium/contract'
import type { ClientAddress, ClientAddressOf } from '../http/client-address.ts'
import { framingFault, originForm } from '../http/framing.ts'
import { requestHeaders } from '../http/headers.ts'
import {
  badRequest,
  endWhenRequestEnds,
  type Refusal,
  refuse,
  refuseAndClose,
  sendJson,
} from '../http/response.ts'
import type { AddressLimiter } from '../limits/limiter.ts'
import type { Metrics, Target } from '../metrics.ts'
import type { Forward } from '../proxy/forward.ts'
import { destinationOf, type ForwardedDestination } from '../routing/destination.ts'
import type { Routing } from '../routing/routing.ts'

export interface RequestHandlerDeps {
  routing: Routing
  forward: Forward
  clientAddressOf: ClientAddressOf
  addressLimiter: AddressLimiter
  metrics: Metrics
  isStopping(): boolean
  health(): { status: string; backends: number; redis: 'up' | 'down' }
  onDefect(error: unknown): void
}

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  expectsContinue: boolean
  /** Where the request went, as a label of the metrics. */
  target: Target
}

/** The status recorded for a client that left before there was a response. */
const clientClosedRequest = 499

export const stopping: Refusal = { code: 'UNAVAILABLE', message: 'This router is stopping.' }
export const addressBusy: Refusal = {
  code: 'UNAVAILABLE',
  message: 'Too many requests from your address are in progress. Try again shortly.',
}

export function createRequestHandler(deps: RequestHandlerDeps) {
  const { routing, forward, clientAddressOf, addressLimiter, metrics } = deps

  async function respond(exchange: Exchange): Promise<void> {
    const { request, response } = exchange
    const path = originForm(request.url ?? '') ?? ''
    const fault = framingFault(request)
    if (fault !== undefined) return refuseAndClose(response, path, badRequest(fault))
    const destination = destinationOf(path)
    if (destination.kind === 'router') return sendJson(response, deps.isStopping() ? 503 : 200, deps.health())
    if (destination.kind === 'ready' && deps.isStopping()) return refuse(response, path, stopping)
    const client = clientAddressOf(request)
    const admitted = addressLimiter.acquire(client.network, response)
    if (admitted !== true && !(await admitted)) return refuse(response, path, addressBusy)
    try {
      await respondFrom(exchange, destination, path, client)
    } finally {
      addressLimiter.release(client.network)
    }
  }

  async function respondFrom(
    exchange: Exchange,
    destination: ForwardedDestination,
    path: string,
    client: ClientAddress,
  ): Promise<void> {
    const { request, response, expectsContinue } = exchange
    const route = await routing.routeTo(destination, acceptsHtml(request))
    switch (route.kind) {
      case 'unavailable':
        return refuse(response, path, { code: 'UNAVAILABLE', message: route.message })
      case 'redirect':
        exchange.target = 'redirect'
        response.writeHead(302, { location: route.location, 'cache-control': 'no-store' })
        return endWhenRequestEnds(response)
      case 'forward': {
        exchange.target = route.target
        const headers = requestHeaders(request, client)
        const { network } = client
        return await forward({ request, response, path, network, headers, expectsContinue }, route.origins)
      }
      default:
        return assertNever(route)
    }
  }

  return (request: IncomingMessage, response: ServerResponse, expectsContinue: boolean): void => {
    const startedAt = performance.now()
    const exchange: Exchange = { request, response, expectsContinue, target: 'none' }
    if (deps.isStopping()) response.shouldKeepAlive = false
    response.on('close', () => {
      const status = response.headersSent ? response.statusCode : clientClosedRequest
      metrics.requestFinished(exchange.target, status, (performance.now() - startedAt) / 1000)
    })
    respond(exchange).catch((error: unknown) => {
      deps.onDefect(error)
      refuse(response, request.url ?? '', { code: 'INTERNAL' })
    })
  }
}

const acceptsHtml = ({ method, headers }: IncomingMessage): boolean =>
  (method === 'GET' || method === 'HEAD') && (headers.accept?.includes('text/html') ?? false)
