import { type LimitedEndpoint, limits, type RouteSpec, researcherWorkOf } from '@atrium/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../kernel/app-error.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Identity, IdentityCheck } from '../modules/identity/index.ts'
import type { SessionRecord, Sessions } from '../modules/sessions/index.ts'
import type { RateLimiter, RateState } from '../ports/rate-limiter.ts'
import { originOf, singleHeader } from './credentials.ts'

export interface GateParts {
  identities: IdentityCheck
  sessions: Sessions
  limiter: RateLimiter
  clock: Clock
}

/** Who stands behind a request, once the gate has let it pass. */
export interface Caller {
  identity?: Identity
  session?: SessionRecord
}

/**
 * Stands before every route: who is it, and have they asked too often? Decided from the headers alone, before
 * the body is read, so that a flood costs little.
 */
export function createGate({ identities, sessions, limiter, clock }: GateParts) {
  function writeRateHeaders(reply: FastifyReply, { limit, remaining, resetInMs }: RateState): void {
    reply.header('x-ratelimit-limit', String(limit))
    reply.header('x-ratelimit-remaining', String(remaining))
    reply.header('x-ratelimit-reset', String(Math.ceil((clock.now() + resetInMs) / 1000)))
  }

  async function authenticate(spec: RouteSpec, request: FastifyRequest): Promise<Caller> {
    switch (spec.auth) {
      case 'none':
        return {}
      case 'session': {
        const presented = {
          ...originOf(request),
          sessionId: singleHeader(request, 'x-session-id'),
          sessionToken: request.headers['x-session-token'] as string | undefined,
        }
        return { session: await sessions.recognise(presented) }
      }
      case 'id_token':
      case 'researcher':
      case 'admin': {
        const identity = await identities.authenticate(singleHeader(request, 'authorization'))
        if (spec.auth === 'admin' && !identity.isAdmin) throw new AppError('FORBIDDEN')
        if (spec.auth === 'researcher' && !identity.isResearcher) throw new AppError('FORBIDDEN')
        if (identity.guest && !spec.guests) throw new AppError('FORBIDDEN', { reason: 'guest' }, notForGuests)
        return { identity }
      }
    }
  }

  /** R10: failures are counted by address; who authenticates well is never refused for their neighbours. */
  async function countFailure(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const state = await limiter.consume('failed', request.ip, limits.failedAuthenticationsPerWindow)
    writeRateHeaders(reply, state)
    if (!state.allowed) throw rateLimited(reply, state)
  }

  async function countRequest(
    endpoint: LimitedEndpoint,
    spec: RouteSpec,
    caller: Caller,
    reply: FastifyReply,
  ): Promise<void> {
    const version = spec.path.startsWith('/api/v3') ? 'v3' : 'v4'
    const key = caller.session?.sessionId ?? personOf(caller)
    const state = await limiter.consume(`${version}:${endpoint}`, key, limits.requestsPerWindow[endpoint])
    writeRateHeaders(reply, state)
    if (!state.allowed) throw rateLimited(reply, state)
  }

  /** One researcher's scripts must not take what the others need. */
  async function countResearcher(spec: RouteSpec, caller: Caller, reply: FastifyReply): Promise<void> {
    const work = researcherWorkOf(spec)
    if (!work) return
    const limit = limits.researcherRequestsPerWindow[work]
    const state = await limiter.consume(`researcher:${work}`, personOf(caller), limit)
    writeRateHeaders(reply, state)
    if (!state.allowed) throw rateLimited(reply, state)
  }

  /** R51: what anybody may call is counted by address, so generously that a classroom behind one never notices. */
  async function countAddress(spec: RouteSpec, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const endpoint = spec.addressLimit
    if (!endpoint) return
    const limit = limits.requestsPerAddressPerWindow[endpoint]
    const state = await limiter.consume(`address:${endpoint}`, request.ip, limit)
    writeRateHeaders(reply, state)
    if (!state.allowed) throw rateLimited(reply, state)
  }

  /** For answers that no bucket was charged for: the state of the address, as it stands. */
  async function showAddressLimit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    writeRateHeaders(reply, await limiter.peek('failed', request.ip, limits.failedAuthenticationsPerWindow))
  }

  return {
    async pass(spec: RouteSpec, request: FastifyRequest, reply: FastifyReply): Promise<Caller> {
      let caller: Caller
      try {
        caller = await authenticate(spec, request)
      } catch (error) {
        if (isOtherBrowser(error))
          request.log.warn({ route: spec.path }, 'session used by another browser; refused')
        if (isFailedAuthentication(error)) await countFailure(request, reply)
        else if (spec.envelope === 'participant') await showAddressLimit(request, reply)
        throw error
      }
      if (spec.rateLimit) await countRequest(spec.rateLimit, spec, caller, reply)
      await countResearcher(spec, caller, reply)
      await countAddress(spec, request, reply)
      // Counted first: who hammers with an ended session uses up that session's own limit.
      if (caller.session) sessions.admit(caller.session, spec.rateLimit === 'complete')
      return caller
    },
    showAddressLimit,
  }
}

const notForGuests = 'A guest may join one experiment and see its history, nothing else.'

const personOf = ({ identity }: Caller): string => `${identity?.issuer} ${identity?.subject}`

const isFailedAuthentication = (error: unknown): boolean =>
  error instanceof AppError && (error.code === 'UNAUTHENTICATED' || error.code === 'SESSION_INVALID')

/** R13: logged, because it may be a hijacking attempt. */
const isOtherBrowser = (error: unknown): boolean =>
  error instanceof AppError && error.details.reason === 'user_agent'

function rateLimited(reply: FastifyReply, { resetInMs }: RateState): AppError {
  const seconds = Math.max(1, Math.ceil(resetInMs / 1000))
  reply.header('retry-after', String(seconds))
  return new AppError('RATE_LIMITED', { retryAfterSeconds: seconds })
}
