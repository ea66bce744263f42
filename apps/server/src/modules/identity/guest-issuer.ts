import { randomBytes } from 'node:crypto'
import { decodeJwt, type JWTPayload, SignJWT } from 'jose'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import { createGuestPeople, type GuestPerson } from './guest-person.ts'
import type { SharedSecretStore } from './identity.store.ts'
import type { Guest, Identity } from './identity.ts'
import { issuerKey } from './issuer-key.ts'
import { localVerifier } from './token-verifier.ts'

/** Not a URL, so no identity provider can have this name. */
const facts = { issuer: 'urn:atrium:guests', audience: 'atrium-guests' }
/** A join returns a session for everything after it; the token is needed only until then. */
const lifetimeMs = 10 * 60_000
const keyId = 'guests'

export interface GuestIssuer {
  people: ReturnType<typeof createGuestPeople>
  /** The identity of a guest, before there is a token for it. */
  identityOf(person: GuestPerson, experimentId: string, externalId?: string): Identity
  issueToken(identity: Identity): Promise<string>
  /** Whether a token claims to be a guest's; that proves nothing yet. */
  claims(token: string): boolean
  verify(token: string): Promise<Identity>
}

/**
 * R51: the platform's own issuer for people without an account, beside any identity provider. Its key is kept in the
 * store, so that several instances are one issuer and no other token can be made with it.
 */
export async function createGuestIssuer(secrets: SharedSecretStore, clock: Clock): Promise<GuestIssuer> {
  const { privateKey, jwks, header } = await issuerKey(secrets, 'guest_issuer_key', keyId)
  // Not SESSION_SECRET: if that were changed, everybody would become somebody else.
  const personKey = await secrets.keepFirst('guest_person_key', randomBytes(32).toString('base64url'))
  const verify = localVerifier(facts, jwks, clock)
  return {
    people: createGuestPeople(Buffer.from(personKey, 'base64url')),
    identityOf: ({ subject, device }, experimentId, externalId) =>
      guestWith(subject, { experimentId, device, ...(externalId !== undefined && { externalId }) }),
    issueToken: ({ subject, guest }) =>
      new SignJWT({
        experiment_id: guest?.experimentId,
        device: guest?.device,
        ...(guest?.externalId !== undefined && { external_id: guest.externalId }),
      })
        .setProtectedHeader(header)
        .setSubject(subject)
        .setIssuer(facts.issuer)
        .setAudience(facts.audience)
        .setIssuedAt(new Date(clock.now()))
        .setExpirationTime(new Date(clock.now() + lifetimeMs))
        .sign(privateKey),
    claims: (token) => issuerIn(token) === facts.issuer,
    verify: async (token) => identityIn(await verify(token)),
  }
}

/** A guest has no role, whomever the configuration lists: their subject is never an administrator's. */
const guestWith = (subject: string, guest: Guest): Identity => ({
  issuer: facts.issuer,
  subject,
  verifiedEmail: undefined,
  isAdmin: false,
  isResearcher: false,
  guest,
})

function identityIn({ sub, experiment_id, external_id, device }: JWTPayload): Identity {
  if (!sub || typeof experiment_id !== 'string' || typeof device !== 'string')
    throw new AppError('UNAUTHENTICATED')
  return guestWith(sub, {
    experimentId: experiment_id,
    device,
    ...(typeof external_id === 'string' && { externalId: external_id }),
  })
}

function issuerIn(token: string): string | undefined {
  try {
    return decodeJwt(token).iss
  } catch {
    return undefined // Whoever verifies it says what is wrong with it.
  }
}
