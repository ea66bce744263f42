import { type LimitedEndpoint, limits, type RouteSpec, researcherWorkOf } from '@atrium/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../kernel/app-error.ts'
import type { Clock } from '../kernel/clock.ts'
import type { RateLimiter, RateState } from '../ports/rate-limiter.ts'
import type { Caller, Person, Session } from './caller.ts'

type AnyCaller = Partial<Caller<Person, Session>>

/** R10: counts requests, says in headers what is left, and throws for one too many. */
export function createRateLimits(limiter: RateLimiter, clock: Clock) {
  function writeHeaders(reply: FastifyReply, { limit, remaining, resetInMs }: RateState): void {
    reply.header('x-ratelimit-limit', String(limit))
    reply.header('x-ratelimit-remaining', String(remaining))
    reply.header('x-ratelimit-reset', String(Math.ceil((clock.now() + resetInMs) / 1000)))
  }

  async function count(bucket: string, key: string, limit: number, reply: FastifyReply): Promise<void> {
    const state = await limiter.consume(bucket, key, limit)
    writeHeaders(reply, state)
    if (!state.allowed) throw rateLimited(reply, state)
  }

  return {
    /** Failures are counted by address; callers who authenticate are never refused because of their neighbours. */
    countFailure: (request: FastifyRequest, reply: FastifyReply): Promise<void> =>
      count('failed', request.ip, limits.failedAuthenticationsPerWindow, reply),

    async countRequest(
      endpoint: LimitedEndpoint,
      spec: RouteSpec,
      caller: AnyCaller,
      reply: FastifyReply,
    ): Promise<void> {
      const version = spec.path.startsWith('/api/v3') ? 'v3' : 'v4'
      const key = caller.session?.sessionId ?? personOf(caller)
      await count(`${version}:${endpoint}`, key, limits.requestsPerWindow[endpoint], reply)
    },

    /** One researcher's scripts must not use up what the others need. */
    async countResearcher(spec: RouteSpec, caller: AnyCaller, reply: FastifyReply): Promise<void> {
      const work = researcherWorkOf(spec)
      if (!work) return
      // R49: a script that runs wild must not lock its owner out of the console.
      const key = caller.identity?.key?.keyId ?? personOf(caller)
      await count(`researcher:${work}`, key, limits.researcherRequestsPerWindow[work], reply)
    },

    /** R51: routes open to anybody are counted by address, so generously that a classroom behind one never notices. */
    async countAddress(spec: RouteSpec, request: FastifyRequest, reply: FastifyReply): Promise<void> {
      const endpoint = spec.addressLimit
      if (!endpoint) return
      await count(`address:${endpoint}`, request.ip, limits.requestsPerAddressPerWindow[endpoint], reply)
    },

    /** For answers that no bucket was charged for: shows the present limit of the address. */
    async showAddressLimit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      writeHeaders(reply, await limiter.peek('failed', request.ip, limits.failedAuthenticationsPerWindow))
    },
  }
}

const personOf = ({ identity }: AnyCaller): string => `${identity?.issuer} ${identity?.subject}`

export function rateLimited(reply: FastifyReply, { resetInMs }: RateState): AppError {
  const seconds = Math.max(1, Math.ceil(resetInMs / 1000))
  reply.header('retry-after', String(seconds))
  return new AppError('RATE_LIMITED', { retryAfterSeconds: seconds })
}
