import type { IncomingMessage } from 'node:http'
import type { OpenSpan, Tracing } from '@atrium/program'
import type { FastifyInstance } from 'fastify'

/**
 * A span for every request that is routed, around everything that its handlers do. It names the route's pattern, never the
 * address, in which there are ids and codes. `isFromProxy`: strangers could otherwise write into any trace.
 */
export function traceRequests(
  app: FastifyInstance,
  tracing: Tracing,
  isFromProxy: (request: IncomingMessage) => boolean,
): void {
  const spans = new WeakMap<IncomingMessage, OpenSpan>()

  app.addHook('onRequest', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unmatched'
    const { traceparent } = request.headers
    const span = tracing.start(`${request.method} ${route}`, {
      kind: 'server',
      facts: { 'http.request.method': request.method, 'http.route': route },
      ...(typeof traceparent === 'string' && isFromProxy(request.raw) && { parent: traceparent }),
    })
    spans.set(request.raw, span)
    request.log = request.log.child({ traceId: span.traceId })
    // Also for a client that leaves before its response, for which Fastify calls no hook.
    reply.raw.once('close', () => {
      const { statusCode } = reply.raw
      span.add({ 'http.response.status_code': statusCode, 'atrium.complete': reply.raw.writableFinished })
      span.end(statusCode >= 500 ? String(statusCode) : undefined)
    })
    tracing.within(span, done)
  })
  // What follows a body is called by its stream, which is outside of what the first hook has begun.
  app.addHook('preValidation', (request, _reply, done) => {
    const span = spans.get(request.raw)
    if (span) tracing.within(span, done)
    else done()
  })
}
