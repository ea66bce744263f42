import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** What pages call. Videos and objects answer every origin by themselves; pages and files need no permission. */
const calledByPages = /^\/(?:api|dev)\//
const allowedHeaders = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'X-Request-Id',
  'X-Session-Id',
  'X-Session-Token',
]
const readableHeaders = [
  'ETag',
  'Retry-After',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
]
/** Chromium asks again after two hours whatever it is told. */
const preflightSeconds = 7_200

/**
 * Lets pages of other sites call the API, if the operator lists their origins. Credentials are never allowed: sessions
 * and tokens travel in headers, so a page can use only what it was given itself. Without a list nothing changes: there
 * are no headers, and browsers refuse.
 */
export function allowPageOrigins(app: FastifyInstance, origins: ReadonlySet<string>): void {
  if (origins.size === 0) return
  app.addHook('onRequest', async (request, reply) => {
    if (!calledByPages.test(request.url)) return
    reply.header('vary', 'Origin')
    const { origin } = request.headers
    if (origin === undefined || !origins.has(origin)) return
    reply.header('access-control-allow-origin', origin)
    if (isPreflight(request)) return answerPreflight(reply)
    reply.header('access-control-expose-headers', readableHeaders.join(', '))
  })
}

const isPreflight = ({ method, headers }: FastifyRequest): boolean =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined

function answerPreflight(reply: FastifyReply): FastifyReply {
  return reply
    .code(204)
    .header('access-control-allow-methods', 'GET, HEAD, POST, PUT, PATCH, DELETE')
    .header('access-control-allow-headers', allowedHeaders.join(', '))
    .header('access-control-max-age', String(preflightSeconds))
    .send()
}
