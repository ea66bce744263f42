import { type GuestBody, identityRoutes, isUnfilledPlaceholder, limits } from '@atrium/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { rateLimited } from '../../http/rate-limits.ts'
import type { Routes } from '../../http/route.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { RateLimiter } from '../../ports/rate-limiter.ts'
import type { Experiments } from '../experiments/index.ts'
import type { GuestIssuer } from '../identity/index.ts'
import { closedTo, needsAccount, type Sessions } from '../sessions/index.ts'

export interface GuestDeps {
  guests: GuestIssuer
  experiments: Experiments
  sessions: Sessions
  limiter: RateLimiter
}

/** R51: an ID token for people recruited by a link. */
export function addGuestRoute(routes: Routes, { guests, experiments, sessions, limiter }: GuestDeps): void {
  /** `mayBeKnown` if they may have been here before; newcomers need not be looked up. */
  function whoIs({ experimentId, guestSecret, ...body }: GuestBody) {
    const externalId = idIn(body.externalId)
    // The id first: in a laboratory many people use the same browser.
    if (externalId !== undefined) {
      const person = guests.people.withExternalId(experimentId, externalId, guestSecret)
      return { person, externalId, mayBeKnown: true }
    }
    if (guestSecret === undefined) return { person: guests.people.newcomer(experimentId), mayBeKnown: false }
    const person = guests.people.withSecret(experimentId, guestSecret)
    if (!person) throw new AppError('UNAUTHENTICATED', { reason: 'guest_secret' }, strangeSecret)
    return { person, mayBeKnown: true }
  }

  /** G15: whoever tries ids until one is taken is soon refused; people who change devices are not. */
  async function countClaim({ ip }: FastifyRequest, reply: FastifyReply): Promise<void> {
    const state = await limiter.consume('address:claim', ip, limits.guestClaimsPerAddressPerWindow)
    if (!state.allowed) throw rateLimited(reply, state)
  }

  routes.add(identityRoutes.guest, async ({ body, request, reply }) => {
    const { experimentId, metadata = {} } = body
    const { person, externalId, mayBeKnown } = whoIs(body)
    const identity = guests.identityOf(person, experimentId, externalId)
    const refusal = await refusalOfNewcomers(experiments, experimentId, metadata)
    const knownAs = mayBeKnown ? await sessions.guestKnownAs(identity, experimentId) : 'stranger'
    // To people who only name an id, a closed experiment does not say whether the id is in it (G14).
    if (refusal && knownAs !== 'proven') throw refusal
    if (knownAs === 'named') await countClaim(request, reply)
    return { idToken: await guests.issueToken(identity), guestSecret: person.secret }
  })
}

const strangeSecret = 'This guestSecret was not given for this experiment. Ask again without it.'

/**
 * Why newcomers are refused. People who have already joined can continue: they may resume, and must be able to see
 * their code (R14), even if their revision took guests and the newest does not.
 */
async function refusalOfNewcomers(
  experiments: Experiments,
  experimentId: string,
  metadata: Record<string, unknown>,
): Promise<AppError | undefined> {
  const { status, revision } = await experiments.find(experimentId)
  const definition = await experiments.definition(experimentId, revision)
  if (status !== 'recruiting') return closedTo(definition, 'status', metadata)
  return definition.access === 'signed_in' ? needsAccount() : undefined
}

function idIn(externalId: string | undefined): string | undefined {
  const id = externalId?.trim()
  return id && !isUnfilledPlaceholder(id) ? id : undefined
}
