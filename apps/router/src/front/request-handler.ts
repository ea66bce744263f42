import type { IncomingMessage, ServerResponse } from 'node:http'
import { assertNever, requestIdHeader } from '@atrium/contract'
import type { Logger, OpenSpan, Tracing } from '@atrium/program'
import type { ClientAddress, ClientAddressOf } from '../http/client-address.ts'
import { framingFault, originForm } from '../http/framing.ts'
import { requestHeaders, requestIdOf } from '../http/headers.ts'
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
  logger: Logger
  /** Undefined: no traces. */
  tracing: Tracing | undefined
  isStopping(): boolean
  health(): { status: string; backends: number; redis: 'up' | 'down' }
  onDefect(error: unknown, reqId: string): void
}

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  expectsContinue: boolean
  reqId: string
  /** Where the request went, as a label of the metrics. */
  target: Target
  span?: OpenSpan | undefined
}

/** The status recorded for a client that left before there was a response. */
const clientClosedRequest = 499

export const stopping: Refusal = { code: 'UNAVAILABLE', message: 'This router is stopping.' }
export const addressBusy: Refusal = {
  code: 'UNAVAILABLE',
  message: 'Too many requests from your address are in progress. Try again shortly.',
}

export function createRequestHandler(deps: RequestHandlerDeps) {
  const { routing, forward, clientAddressOf, addressLimiter, metrics, logger, tracing } = deps

  async function respond(exchange: Exchange): Promise<void> {
    const { request, response } = exchange
    const path = originForm(request.url ?? '') ?? ''
    const fault = framingFault(request)
    if (fault !== undefined) return refuseAndClose(response, path, badRequest(fault))
    const destination = destinationOf(path)
    if (destination.kind === 'router') return sendJson(response, deps.isStopping() ? 503 : 200, deps.health())
    if (destination.kind === 'ready' && deps.isStopping()) return refuse(response, path, stopping)
    const client = clientAddressOf(request)
    exchange.span = startSpan(exchange, client)
    const admitted = addressLimiter.acquire(client.network, response)
    if (admitted !== true && !(await admitted)) return refuse(response, path, addressBusy)
    try {
      await respondFrom(exchange, destination, path, client)
    } finally {
      addressLimiter.release(client.network)
    }
  }

  const startSpan = ({ request }: Exchange, client: ClientAddress): OpenSpan | undefined =>
    tracing?.start(request.method ?? '', {
      kind: 'server',
      facts: { 'http.request.method': request.method ?? '' },
      parent: client.traceparent,
    })

  async function respondFrom(
    exchange: Exchange,
    destination: ForwardedDestination,
    path: string,
    client: ClientAddress,
  ): Promise<void> {
    const { request, response, expectsContinue, reqId, span } = exchange
    const route = await routing.routeTo(destination, acceptsHtml(request))
    switch (route.kind) {
      case 'unavailable':
        return refuse(response, path, { code: 'UNAVAILABLE', message: route.message })
      case 'redirect':
        exchange.target = 'redirect'
        response.writeHead(302, {
          location: route.location,
          'cache-control': 'no-store',
          [requestIdHeader]: reqId,
        })
        return endWhenRequestEnds(response)
      case 'forward': {
        exchange.target = route.target
        const headers = requestHeaders(request, client, span?.traceparent)
        const { network } = client
        return await forward({ request, response, path, network, headers, expectsContinue }, route.origins)
      }
      default:
        return assertNever(route)
    }
  }

  return (request: IncomingMessage, response: ServerResponse, expectsContinue: boolean): void => {
    const startedAt = performance.now()
    const reqId = requestIdOf(request)
    const exchange: Exchange = { request, response, expectsContinue, reqId, target: 'none' }
    if (deps.isStopping()) response.shouldKeepAlive = false
    response.on('close', () => {
      const status = response.headersSent ? response.statusCode : clientClosedRequest
      const { target, span } = exchange
      const ms = performance.now() - startedAt
      metrics.requestFinished(target, status, ms / 1000)
      logger.debug({ reqId, target, status, ms: Math.round(ms), traceId: span?.traceId }, 'answered')
      span?.add({ 'http.response.status_code': status, 'atrium.target': target })
      span?.end(status >= 500 ? String(status) : undefined)
    })
    respond(exchange).catch((error: unknown) => {
      deps.onDefect(error, reqId)
      refuse(response, request.url ?? '', { code: 'INTERNAL' })
    })
  }
}

const acceptsHtml = ({ method, headers }: IncomingMessage): boolean =>
  (method === 'GET' || method === 'HEAD') && (headers.accept?.includes('text/html') ?? false)
