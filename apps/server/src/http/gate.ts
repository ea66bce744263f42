import { hash, timingSafeEqual } from 'node:crypto'
import { type KeyRefusal, type KeyScope, keyRefusalOf, type RouteSpec } from '@atrium/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../kernel/app-error.ts'
import type { Clock } from '../kernel/clock.ts'
import type { RateLimiter } from '../ports/rate-limiter.ts'
import type { Caller, Person, PersonCheck, Session, SessionCheck } from './caller.ts'
import { originOf, singleHeader } from './credentials.ts'
import { createRateLimits } from './rate-limits.ts'

export interface GateDeps<KnownPerson extends Person, KnownSession extends Session> {
  identities: PersonCheck<KnownPerson>
  sessions: SessionCheck<KnownSession>
  limiter: RateLimiter
  clock: Clock
  /** What functions and workers present, one of these; undefined: nobody may call their routes. */
  internalKeys: readonly string[] | undefined
}

export interface Gate<KnownPerson extends Person, KnownSession extends Session> {
  pass(
    spec: RouteSpec,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<Caller<KnownPerson, KnownSession>>
  /** Whether the request shows the key of functions and workers. */
  hasInternalKey(request: FastifyRequest): boolean
  /** For answers that no bucket was charged for: shows the present limit of the address. */
  showAddressLimit(request: FastifyRequest, reply: FastifyReply): Promise<void>
}

/**
 * Stands before every route: who is calling, and have they called too often? Decided from the headers alone, before the
 * body is read, so that a flood costs little.
 */
export function createGate<KnownPerson extends Person, KnownSession extends Session>({
  identities,
  sessions,
  limiter,
  clock,
  internalKeys = [],
}: GateDeps<KnownPerson, KnownSession>): Gate<KnownPerson, KnownSession> {
  type KnownCaller = Caller<KnownPerson, KnownSession>
  const rates = createRateLimits(limiter, clock)

  const hasInternalKey = (request: FastifyRequest): boolean =>
    isOneOf(internalKeys, singleHeader(request, 'x-internal-key'))

  async function authenticate(spec: RouteSpec, request: FastifyRequest): Promise<KnownCaller> {
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
        if (identity.key) refuseKey(spec, identity.key)
        if (spec.auth === 'admin' && !identity.isAdmin) throw new AppError('FORBIDDEN')
        if (spec.auth === 'researcher' && !identity.isResearcher) throw new AppError('FORBIDDEN')
        if (identity.guest && !spec.guests) throw new AppError('FORBIDDEN', { reason: 'guest' }, notForGuests)
        return { identity }
      }
      case 'internal':
        if (!request.originalUrl.startsWith(internalPath)) throw new AppError('NOT_FOUND')
        if (!hasInternalKey(request))
          throw new AppError('UNAUTHENTICATED', {}, 'X-Internal-Key is missing or wrong.')
        return {}
    }
  }

  return {
    hasInternalKey,
    showAddressLimit: rates.showAddressLimit,
    async pass(spec, request, reply) {
      let caller: KnownCaller
      try {
        caller = await authenticate(spec, request)
      } catch (error) {
        if (isOtherBrowser(error))
          request.log.warn({ route: spec.path }, 'session used by another browser; refused')
        if (isFailedAuthentication(error)) await rates.countFailure(request, reply)
        else if (spec.envelope === 'participant') await rates.showAddressLimit(request, reply)
        throw error
      }
      if (spec.rateLimit) await rates.countRequest(spec.rateLimit, spec, caller, reply)
      await rates.countResearcher(spec, caller, reply)
      await rates.countAddress(spec, request, reply)
      // Counted first: hammering with an ended session uses up that session's own limit.
      if (caller.session) sessions.admit(caller.session, spec.rateLimit === 'complete')
      return caller
    },
  }
}

/** As proxies close it, which may compare it as it is written. `/api/%69nternal/` would get past them. */
const internalPath = '/api/internal/'

/** Hashes have one length, so that comparing them takes the same time whatever was presented. */
function isOneOf(secrets: readonly string[], presented: string | undefined): boolean {
  if (presented === undefined) return false
  const given = hash('sha256', presented, 'buffer')
  return secrets.some((secret) => timingSafeEqual(given, hash('sha256', secret, 'buffer')))
}

const notForGuests = 'A guest may join one experiment and see its history, nothing else.'

const isFailedAuthentication = (error: unknown): boolean =>
  error instanceof AppError && (error.code === 'UNAUTHENTICATED' || error.code === 'SESSION_INVALID')

/** R13: logged because it may be a hijacking attempt. */
const isOtherBrowser = (error: unknown): boolean =>
  error instanceof AppError && error.details.reason === 'user_agent'

const sentences: Record<KeyRefusal, string> = {
  people_only: 'No API key can do this. Sign in and do it yourself.',
  read_only: 'This API key can only read. Use one with write access.',
  limited: 'This API key is limited to some experiments, and this does not concern them.',
}

/** R49: throws unless a key that was made for this scope may call the route. */
function refuseKey(spec: RouteSpec, scope: KeyScope): void {
  const reason = keyRefusalOf(spec, scope)
  if (reason) throw new AppError('FORBIDDEN', { reason }, sentences[reason])
}
